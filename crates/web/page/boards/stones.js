// Boards with squares and pieces: Tic-Tac-Toe, mnk, Othello, Breakthrough, Clobber, Toads and Frogs.

import { html } from "../vendor/htm-preact.js";
import { CELL, Grid, fromAbove, fromBelow, rowsOf } from "./grid.js";

/** @param {string} piece */
const side = (piece) => (/[xT]/.test(piece) ? "p0" : "p1");

/** A cross or a ring. @param {string} piece @param {number} x @param {number} y */
function sign(piece, x, y) {
  const r = 11;
  if (piece === "x") return html`<path class="sign p0" d=${`M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`} />`;
  return piece === "o" ? html`<circle class="sign p1" cx=${x} cy=${y} r=${r + 1} />` : null;
}

/** A disc; the second player's has a ring. @param {string} piece @param {number} x @param {number} y */
export function disc(piece, x, y, r = 15) {
  if (!/[xo]/.test(piece)) return null;
  return html`<g class=${`disc ${side(piece)}`}>
    <circle cx=${x} cy=${y} r=${r} />${piece === "o" && html`<circle class="ring" cx=${x} cy=${y} r=${r * 0.55} />`}
  </g>`;
}

/** A disc with an arrow that says where it goes. @param {string} arrow */
const walker = (arrow) => (/** @type {string} */ piece, /** @type {number} */ x, /** @type {number} */ y) => html`<g class=${`disc ${side(piece)}`}>
  <circle cx=${x} cy=${y} r="15" /><path class="arrow" d=${arrow} transform=${`translate(${x} ${y})`} />
</g>`;

const UP = "M-6 4L0-6L6 4";
const DOWN = "M-6-4L0 6L6-4";
const RIGHT = "M-4-6L6 0L-4 6";
const LEFT = "M4-6L-6 0L4 6";

/** @param {string} piece @param {number} x @param {number} y */
const pawn = (piece, x, y) => (/[xo]/.test(piece) ? walker(piece === "x" ? UP : DOWN)(piece, x, y) : null);

/** @param {string} piece @param {number} x @param {number} y */
export const animal = (piece, x, y) => (/[TF]/.test(piece) ? walker(piece === "T" ? RIGHT : LEFT)(piece, x, y) : null);

/**
 * A board of squares.
 * @param {any} piece @param {(rows: number) => (c: number, r: number) => string} naming @param {string} kind
 */
const squares = (piece, naming, kind) => (/** @type {import("./grid.js").BoardProps} */ props) => {
  const cells = rowsOf(props.shown.text);
  return html`<${Grid} ...${props} look=${{ cells, name: naming(cells.length), piece, kind }} />`;
};

export const FAMILIES = [
  { words: ["tic-tac-toe", "mnk"], Board: squares(sign, fromBelow, "signs") },
  { words: ["othello"], Board: squares(disc, fromAbove, "othello") },
  { words: ["breakthrough"], Board: squares(pawn, fromBelow, "chequered") },
  { words: ["clobber"], Board: squares(disc, fromBelow, "chequered") },
  { words: ["toads-and-frogs"], Board: squares(animal, fromBelow, "") },
];

export { CELL };
