// Connect Four: pieces that fall into columns.

import { html } from "../vendor/htm-preact.js";
import { CELL, MARGIN, rowsOf } from "./grid.js";
import { disc } from "./stones.js";
import { Drawing } from "./targets.js";

/** The cell that the last move filled: the topmost piece of its column. @param {string[][]} cells @param {string | undefined} last */
function lastCell(cells, last) {
  if (!last) return null;
  const column = last.charCodeAt(0) - 97;
  const row = cells.findIndex((row) => /[xo]/.test(row[column] ?? ""));
  return row < 0 ? null : { column, row };
}

/** @param {import("./grid.js").BoardProps} props */
function Board({ shown, act, marks, hint }) {
  const cells = rowsOf(shown.text);
  const [columns, rows] = [cells[0].length, cells.length];
  const x = (/** @type {number} */ c) => MARGIN + (c + 0.5) * CELL;
  const y = (/** @type {number} */ r) => MARGIN + (r + 0.5) * CELL;
  const fallen = lastCell(cells, shown.moves.at(-1)?.action);
  const name = (/** @type {number} */ c) => String.fromCharCode(97 + c);
  const targets = (act ? shown.actions : []).map((/** @type {string} */ action) => {
    const column = action.charCodeAt(0) - 97;
    const area = html`<rect x=${MARGIN + column * CELL} y="2" width=${CELL} height=${rows * CELL + MARGIN} rx="6" />`;
    return { key: action, label: `drop into ${action}`, x: x(column), y: 0, area, run: () => act?.(action) };
  });
  const piece = (/** @type {string} */ found, /** @type {number} */ c, /** @type {number} */ r) => {
    const isFallen = fallen?.column === c && fallen.row === r;
    // The key lets a new piece begin its fall anew.
    return html`<g key=${`${c},${r},${found}`} class=${isFallen ? `falling from${r}` : ""}>${disc(found, x(c), y(r), 16)}</g>`;
  };
  const height = rows * CELL + 2 * MARGIN;
  return html`<${Drawing} width=${columns * CELL + 2 * MARGIN} height=${height} label=${`Board: ${shown.text}`} targets=${targets} class="fours">
    <rect class="frame" x=${MARGIN} y=${MARGIN} width=${columns * CELL} height=${rows * CELL} rx="8" />
    ${cells.flatMap((row, r) => row.map((_, c) => html`<circle class="hole" cx=${x(c)} cy=${y(r)} r="16" />`))}
    ${cells.flatMap((row, r) => row.map((found, c) => (found === "." ? null : piece(found, c, r))))}
    ${fallen && html`<circle class="last" cx=${x(fallen.column)} cy=${y(fallen.row)} r="5" />`}
    ${Array.from({ length: columns }, (_, c) => html`<text class="coordinate" x=${x(c)} y=${height - 7}>${name(c)}</text>`)}
    ${marks && [...marks].map(([action, mark]) => landingMark(action, mark, cells))}
    ${hint && html`<path class="hint" d=${`M${x(hint.charCodeAt(0) - 97) - 8} 5h16l-8 12z`} />`}
  <//>`;
}

/** The numbers of a column, on the cell where its next piece lands. @param {string} action @param {import("./grid.js").Mark} mark @param {string[][]} cells */
function landingMark(action, mark, cells) {
  const column = action.charCodeAt(0) - 97;
  const row = cells.filter((row) => row[column] === ".").length - 1;
  const [x, y] = [MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL];
  return html`<g class=${`mark ${mark.best ? "best" : ""}`}>
    <circle cx=${x} cy=${y} r=${6 + 11 * Math.sqrt(mark.share)} />
    <text x=${x} y=${y - 1}>${Math.round(mark.share * 100)}%</text><text class="mean" x=${x} y=${y + 10}>${mark.mean}</text>
  </g>`;
}

export const FAMILIES = [{ words: ["connect-four"], Board }];
