// Hex: a rhombus of hexagons. x owns the top and the bottom edge, o the left and the right.

import { html } from "../vendor/htm-preact.js";
import { Grid, fromAbove, rowsOf } from "./grid.js";
import { disc } from "./stones.js";

/** From the middle of a hexagon to its corners. */
const R = 22;
const WIDTH = R * Math.sqrt(3);
const PAD = 52;

/** @param {number} column @param {number} row @returns {[number, number]} */
const centre = (column, row) => [PAD + WIDTH * (column + row / 2 + 0.5), PAD + R * (1.5 * row + 1)];

/** @param {number} x @param {number} y @param {number} r */
function hexagon(x, y, r) {
  const corner = (/** @type {number} */ k) => {
    const angle = (Math.PI / 3) * k + Math.PI / 6;
    return `${(x + r * Math.cos(angle)).toFixed(1)},${(y + r * Math.sin(angle)).toFixed(1)}`;
  };
  return [0, 1, 2, 3, 4, 5].map(corner).join(" ");
}

/** The four edges, in the colour of who owns them. @param {number} size */
function edges(size) {
  const at = (/** @type {number} */ c, /** @type {number} */ r) => centre(c, r);
  const last = size - 1;
  const out = R * 1.25;
  // The sides are slanted, so their lines stand further off.
  const aside = R * 1.5;
  const line = (/** @type {number[]} */ a, /** @type {number[]} */ b, /** @type {string} */ kind) =>
    html`<line class=${`edge ${kind}`} x1=${a[0]} y1=${a[1]} x2=${b[0]} y2=${b[1]} />`;
  const shift = ([x, y], dx, dy) => [x + dx, y + dy];
  return [
    line(shift(at(0, 0), -R * 0.4, -out), shift(at(last, 0), R * 0.6, -out), "p0"),
    line(shift(at(0, last), -R * 0.6, out), shift(at(last, last), R * 0.4, out), "p0"),
    line(shift(at(0, 0), -aside, -R * 0.4), shift(at(0, last), -aside, R * 0.4), "p1"),
    line(shift(at(last, 0), aside, -R * 0.4), shift(at(last, last), aside, R * 0.4), "p1"),
  ];
}

/** @param {import("./grid.js").BoardProps} props */
function Board(props) {
  const cells = rowsOf(props.shown.text);
  const size = cells.length;
  const backdrop = [
    edges(size),
    cells.flatMap((row, r) => row.map((_, c) => html`<polygon class="cell hexagon" points=${hexagon(...centre(c, r), R)} />`)),
  ];
  const look = {
    cells,
    name: fromAbove(),
    centre,
    piece: disc,
    backdrop,
    area: (/** @type {number} */ x, /** @type {number} */ y) => html`<polygon points=${hexagon(x, y, R - 1)} />`,
    size: /** @type {[number, number]} */ ([WIDTH * (1.5 * size - 0.5) + 2 * PAD, R * (1.5 * size + 0.5) + 2 * PAD]),
    rowShift: 38,
    kind: "hex",
  };
  return html`<${Grid} ...${props} look=${look} />`;
}

export const FAMILIES = [{ words: ["hex"], Board }];
