// Domineering: Left's dominoes stand upright, Right's lie across.

import { html } from "../vendor/htm-preact.js";
import { CELL, Grid, cellsOf, fromBelow, rowsOf } from "./grid.js";

/** A cell that is taken at the start. @param {string} piece @param {number} x @param {number} y */
const block = (piece, x, y) =>
  piece === "#" ? html`<rect class="block" x=${x - CELL / 2 + 2} y=${y - CELL / 2 + 2} width=${CELL - 4} height=${CELL - 4} rx="3" />` : null;

/**
 * The dominoes laid so far, above the cells that they take.
 * @param {{action: string, by: number | null}[]} moves @param {(cell: string) => [number, number] | undefined} place
 */
export const dominoes = (moves, place) =>
  moves.map(({ action }) => {
    const [a, b] = cellsOf(action).map(place);
    if (!a || !b) return null;
    const upright = a[0] === b[0];
    const [x, y] = [Math.min(a[0], b[0]) - CELL / 2 + 3, Math.min(a[1], b[1]) - CELL / 2 + 3];
    const [width, height] = upright ? [CELL - 6, 2 * CELL - 6] : [2 * CELL - 6, CELL - 6];
    return html`<rect class=${`domino ${upright ? "p0" : "p1"}`} x=${x} y=${y} width=${width} height=${height} rx="6" />`;
  });

/**
 * How a board of dominoes looks.
 * @param {string[][]} cells @param {{action: string, by: number | null}[]} moves
 */
export function dominoLook(cells, moves) {
  const rows = cells.length;
  const place = (/** @type {string} */ cell) => {
    const [column, row] = [cell.charCodeAt(0) - 97, rows - Number(cell.slice(1))];
    return /** @type {[number, number]} */ ([22 + (column + 0.5) * CELL, 22 + (row + 0.5) * CELL]);
  };
  return { cells, name: fromBelow(rows), piece: block, front: dominoes(moves, place), kind: "dominoes" };
}

/** @param {import("./grid.js").BoardProps} props */
function Board(props) {
  return html`<${Grid} ...${props} look=${dominoLook(rowsOf(props.shown.text), props.shown.moves)} />`;
}

export const FAMILIES = [{ words: ["domineering"], Board }];
