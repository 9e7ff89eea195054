// Boards of Domineering, Clobber, and Toads and Frogs, drawn by clicks or typed, and what they are worth.

import { html } from "../vendor/htm-preact.js";
import { dominoLook } from "../boards/dominoes.js";
import { CELL, MARGIN, fromBelow } from "../boards/grid.js";
import { animal, disc } from "../boards/stones.js";
import { Drawing } from "../boards/targets.js";
import { Problem } from "./controls.js";
import { Waiting, useReady } from "./ready.js";
import { GameNumbers, ReachedStates, TextField, useAnswer } from "./sums_value.js";
import { ThermographPicture } from "./thermograph.js";

/**
 * The games: what a click makes of a cell, what the cells are called, and a first board.
 * @type {Record<string, {title: string, cycle: string[], names: Record<string, string>, board: string}>}
 */
const GAMES = {
  domineering: { title: "Domineering", cycle: [".", "#"], names: { ".": "free", "#": "taken" }, board: ".../..#" },
  clobber: { title: "Clobber", cycle: [".", "x", "o"], names: { ".": "empty", x: "Left's stone", o: "Right's stone" }, board: "xox/oxo" },
  "toads-and-frogs": { title: "Toads and Frogs", cycle: [".", "T", "F"], names: { ".": "empty", T: "a toad", F: "a frog" }, board: "TT.FF" },
};

/** The most rows and columns of a drawn board. */
const SIDE_MAX = 10;

/** @param {string} game @param {string} piece @param {number} x @param {number} y */
function pieceOf(game, piece, x, y) {
  if (game === "domineering") return piece === "#" ? dominoLook([["#"]], []).piece(piece, x, y) : null;
  return game === "clobber" ? disc(piece, x, y) : animal(piece, x, y);
}

/** The board with another number of rows and columns. @param {string[][]} cells @param {number} rows @param {number} columns */
const resized = (cells, rows, columns) => Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => cells[r]?.[c] ?? "."));

/** @param {string[][]} cells */
const written = (cells) => cells.map((row) => row.join("")).join("/");

/** @param {{params: import("../address.js").Params, to: (change: any, how?: any) => void, kinds: any}} props */
export function Board({ params, to, kinds }) {
  const game = params.game && GAMES[params.game] ? params.game : "domineering";
  const text = params.board ?? GAMES[game].board;
  const { told, error, isAsking } = useAnswer("sums/board", text.trim() ? { game, board: text } : null);
  const states = useAnswer("sums/board/states", text.trim() ? { game, board: text } : null);
  if (!useReady((told && (states.told || states.error)) || error || !text.trim())) return html`<${Waiting} />`;
  const parts = text.trim().split("+").map((part) => part.trim().split("/").map((row) => [...row]));
  const set = (/** @type {number} */ index, /** @type {string[][]} */ cells) => to({ board: parts.map((part, place) => written(place === index ? cells : part)).join("+") }, { replace: true });
  const size = (/** @type {string} */ label, /** @type {number} */ value, /** @type {(value: number) => string[][]} */ make) => html`<label class="field"><span>${label}</span>
    <input class="short" type="number" min="1" max=${SIDE_MAX} value=${value} onChange=${(/** @type {any} */ event) => set(0, make(Math.max(1, Math.min(SIDE_MAX, Number(event.target.value) || 1))))} /></label>`;
  const [rows, columns] = [parts[0].length, Math.max(...parts[0].map((row) => row.length))];
  return html`<div class="view sums">
    ${kinds}
    <section class="stage" aria-label="Board and thermograph">
      <h1 class="status" aria-live="polite">${told ? html`${told.outcome}, mean <span class="number">${told.graph.mean.text}</span>` : isAsking ? "Computes…" : "A board"}</h1>
      <div class="parts drawn">${parts.map((cells, index) => html`<div class="part"><${Cells} game=${game} cells=${cells} part=${parts.length > 1 ? ` of board ${index + 1}` : ""} set=${(/** @type {string[][]} */ cells) => set(index, cells)} /></div>`)}</div>
      ${told && html`<${ThermographPicture} graph=${told.graph} of="the board" /><${ReachedStates} answer=${states} of="the board" open=${(/** @type {string} */ board) => to({ board })} />`}
    </section>
    <section class="side" aria-label="The board's value">
      <label class="field"><span>Game</span><select value=${game} onChange=${(/** @type {any} */ event) => to({ game: event.target.value, board: null })}>
        ${Object.entries(GAMES).map(([word, { title }]) => html`<option value=${word}>${title}</option>`)}</select></label>
      <${TextField} label="Board" note="rows from the top, separated by /; boards of a sum by +" value=${text} set=${(/** @type {string} */ board) => to({ board }, { replace: true })} />
      <div class="row">${size("Rows", rows, (rows) => resized(parts[0], rows, columns))} ${size("Columns", columns, (columns) => resized(parts[0], rows, columns))}
        <button type="button" onClick=${() => to({ board: `${text}+${written(resized([], 2, 2))}` }, { replace: true })}>Add a board</button></div>
      <${Problem} error=${error} />
      ${told && html`<${GameNumbers} game=${told} />`}
    </section>
  </div>`;
}

/** @param {{game: string, cells: string[][], part: string, set: (cells: string[][]) => void}} props */
function Cells({ game, cells, part, set }) {
  const { cycle, names } = GAMES[game];
  const columns = Math.max(1, ...cells.map((row) => row.length));
  const [width, height] = [columns * CELL + 2 * MARGIN, cells.length * CELL + 2 * MARGIN];
  const name = fromBelow(cells.length);
  const centre = (/** @type {number} */ c, /** @type {number} */ r) => [MARGIN + (c + 0.5) * CELL, MARGIN + (r + 0.5) * CELL];
  const all = cells.flatMap((row, r) => row.map((piece, c) => ({ piece, r, c, x: centre(c, r)[0], y: centre(c, r)[1] })));
  const targets = all.map(({ piece, r, c, x, y }) => {
    const next = cycle[(cycle.indexOf(piece) + 1) % cycle.length];
    const run = () => set(cells.map((row, at) => (at === r ? row.map((old, place) => (place === c ? next : old)) : row)));
    const area = html`<rect x=${x - CELL / 2 + 1} y=${y - CELL / 2 + 1} width=${CELL - 2} height=${CELL - 2} rx="3" />`;
    return { key: name(c, r), label: `${name(c, r)}${part}: ${names[piece] ?? piece}`, x, y, area, run };
  });
  return html`<${Drawing} width=${width} height=${height} label=${`Board${part}: click a cell to change it`} targets=${targets} class="">
    ${all.map(({ c, r, x, y }) => html`<rect class=${`cell ${(c + r) % 2 ? "dark" : ""}`} x=${x - CELL / 2} y=${y - CELL / 2} width=${CELL} height=${CELL} />`)}
    ${all.map(({ piece, x, y }) => pieceOf(game, piece, x, y))}
  <//>`;
}
