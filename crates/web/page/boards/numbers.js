// 2048's tiles and Pig's dice.

import { html, useEffect } from "../vendor/htm-preact.js";
import { Drawing } from "./targets.js";

const TILE = 70;

/** @type {Record<string, string>} */
const KEYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

/** @param {import("./grid.js").BoardProps} props */
function Tiles({ shown, act, marks, hint }) {
  const [tileText, score] = shown.text.split(" ");
  const rows = tileText.split("/").map((/** @type {string} */ row) => row.split(","));
  useEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      const action = KEYS[event.key];
      const isTyping = /** @type {HTMLElement} */ (event.target).closest("input, textarea, select, [role=listbox]");
      if (!act || isTyping || !shown.actions.includes(action)) return;
      event.preventDefault();
      act(action);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [shown.text, act === null]);
  const side = rows.length * TILE + 16;
  const tile = (/** @type {string} */ value, /** @type {number} */ c, /** @type {number} */ r) => {
    const [x, y] = [8 + c * TILE, 8 + r * TILE];
    const level = value === "." ? 0 : Math.min(11, Math.round(Math.log2(Number(value))));
    return html`<g class=${`tile level${level}`}><rect x=${x + 4} y=${y + 4} width=${TILE - 8} height=${TILE - 8} rx="6" />
      ${level > 0 && html`<text x=${x + TILE / 2} y=${y + TILE / 2 + 9} class=${`long${value.length}`}>${value}</text>`}</g>`;
  };
  return html`<${Drawing} width=${side} height=${side} label=${`Tiles: ${shown.text}`} targets=${[]} class="tiles">
      <rect class="frame" width=${side} height=${side} rx="10" />
      ${rows.flatMap((/** @type {string[]} */ row, /** @type {number} */ r) => row.map((value, c) => tile(value, c, r)))}
    <//>
    <p class="under">Score <b class="number">${Number(score).toLocaleString("en-US")}</b>. The arrow keys move, too.</p>
    <${Buttons} shown=${shown} act=${act} marks=${marks} hint=${hint} />`;
}

/** Where the pips of a die are, in a square of 3 by 3. @type {Record<number, number[]>} */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** @param {import("./grid.js").BoardProps} props */
function Pig({ shown, act, marks, hint }) {
  const [scores, turn] = shown.text.split(" ");
  const points = scores.split(",").map(Number);
  const goal = Number(/of (\d+)/.exec(shown.board)?.[1] ?? 100);
  const rolled = [...shown.moves].reverse().find((/** @type {any} */ move) => /^[1-6]$/.test(move.action))?.action;
  const row = (/** @type {number} */ score, /** @type {number} */ player) => {
    const isActing = shown.player === player;
    const held = isActing ? Number(turn) : 0;
    const width = (/** @type {number} */ part) => Math.max(0, Math.min(300, (300 * part) / goal));
    const y = 20 + player * 46;
    return html`<g class=${`score p${player}`}><text x="0" y=${y}>${shown.players[player]}: ${score} of ${goal}${held ? ` + ${held}` : ""}</text>
      <rect class="bar" x="0" y=${y + 7} width="300" height="14" rx="4" /><rect class="won" x="0" y=${y + 7} width=${width(score)} height="14" rx="4" />
      <rect class="held" x=${width(score)} y=${y + 7} width=${width(held)} height="14" /></g>`;
  };
  const pips = (PIPS[Number(rolled)] ?? []).map((place) => html`<circle cx=${340 + (place % 3) * 20} cy=${30 + Math.floor(place / 3) * 20} r="6" />`);
  return html`<${Drawing} width=${410} height=${Math.max(100, points.length * 46 + 10)} label=${`Pig: ${shown.board.trim()}`} targets=${[]} class="pig">
      ${points.map(row)}<g class="die"><rect x="320" y="10" width="80" height="80" rx="14" />${pips}</g>
    <//>
    <${Buttons} shown=${shown} act=${act} marks=${marks} hint=${hint} />`;
}

/** The actions as buttons, for games without a board, and for actions off the board. @param {import("./grid.js").BoardProps & {only?: string[]}} props */
export function Buttons({ shown, act, marks, hint, only }) {
  const actions = only ?? shown.actions;
  if (actions.length === 0) return null;
  const button = (/** @type {string} */ action) => {
    const mark = marks?.get(action);
    return html`<button type="button" key=${action} class=${`action ${hint === action ? "hinted" : ""}`} disabled=${!act} onClick=${() => act?.(action)}>
      ${action}${mark && html` <small class="number">${Math.round(mark.share * 100)}% ${mark.mean}</small>`}</button>`;
  };
  return html`<div class="actions" role="group" aria-label="Actions">${actions.map(button)}</div>`;
}

export const FAMILIES = [
  { words: ["2048"], Board: Tiles },
  { words: ["pig"], Board: Pig },
];
