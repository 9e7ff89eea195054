// A sum of boards: one drawing for each, side by side.

import { html } from "../vendor/htm-preact.js";
import { dominoLook } from "./dominoes.js";
import { Grid, fromBelow } from "./grid.js";
import { animal, disc } from "./stones.js";

/** The parts of a position: "../.. + .../... Left". @param {string} text */
const partsOf = (text) => text.replace(/ \w+$/, "").split(" + ").map((part) => part.split("/").map((row) => [...row]));

/** @param {string} game @param {string[][]} cells @param {any[]} moves */
function lookOf(game, cells, moves) {
  const named = /game=(\S+)/.exec(game)?.[1] ?? "domineering";
  if (named === "domineering") return dominoLook(cells, moves);
  return { cells, name: fromBelow(cells.length), piece: named === "clobber" ? disc : animal, kind: "" };
}

/** @param {import("./grid.js").BoardProps} props */
function Board({ shown, act, marks, hint }) {
  const parts = partsOf(shown.text);
  const part = (/** @type {string[][]} */ cells, /** @type {number} */ index) => {
    const prefix = `${index + 1}:`;
    const own = (/** @type {string} */ action) => action.startsWith(prefix);
    const bare = (/** @type {string} */ action) => action.slice(prefix.length);
    const moves = shown.moves.filter((/** @type {any} */ move) => own(move.action));
    const isLast = shown.moves.length > 0 && own(shown.moves.at(-1).action);
    const bareMoves = moves.map((/** @type {any} */ move) => ({ ...move, action: bare(move.action) }));
    const here = { ...shown, text: `${index + 1} of ${parts.length}, ${cells.map((row) => row.join("")).join("/")}`, actions: shown.actions.filter(own).map(bare), moves: isLast ? bareMoves : [] };
    const marked = marks && new Map([...marks].filter(([action]) => own(action)).map(([action, mark]) => [bare(action), mark]));
    const look = lookOf(shown.game, cells, bareMoves);
    return html`<div class="part" style=${{ flexGrow: cells[0].length }}>
      <${Grid} shown=${here} look=${look} act=${act && ((/** @type {string} */ action) => act(prefix + action))} marks=${marked}
        hint=${hint && own(hint) ? bare(hint) : null} />
    </div>`;
  };
  return html`<div class="parts">${parts.map(part)}</div>`;
}

export const FAMILIES = [{ words: ["sum"], Board }];
