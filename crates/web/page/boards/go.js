// Go: stones on the crossings of lines.

import { html } from "../vendor/htm-preact.js";
import { CELL, Grid, MARGIN, rowsOf } from "./grid.js";

/** There is no column I. */
const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** The marked crossings of the usual boards, as columns and rows. @param {number} size */
function stars(size) {
  const far = size >= 13 ? 3 : 2;
  if (size < 7 || size % 2 === 0) return [];
  const [low, middle, high] = [far, (size - 1) / 2, size - 1 - far];
  const corners = [[low, low], [low, high], [high, low], [high, high], [middle, middle]];
  return size >= 15 ? [...corners, [low, middle], [high, middle], [middle, low], [middle, high]] : corners;
}

/** @param {number} size */
function lines(size) {
  const at = (/** @type {number} */ index) => MARGIN + (index + 0.5) * CELL;
  const [first, last] = [at(0), at(size - 1)];
  const each = Array.from({ length: size }, (_, index) => at(index));
  return html`<rect class="wood" x=${MARGIN} y=${MARGIN} width=${size * CELL} height=${size * CELL} rx="4" />
    <path class="lines" d=${each.map((place) => `M${first} ${place}H${last}M${place} ${first}V${last}`).join("")} />
    ${stars(size).map(([c, r]) => html`<circle class="star" cx=${at(c)} cy=${at(r)} r="3.5" />`)}`;
}

/** @param {string} piece @param {number} x @param {number} y */
const stone = (piece, x, y) =>
  /[xo]/.test(piece) ? html`<circle class=${`stone ${piece === "x" ? "black" : "white"}`} cx=${x} cy=${y} r="18" />` : null;

/** @param {import("./grid.js").BoardProps} props */
function Board(props) {
  const cells = rowsOf(props.shown.text);
  const size = cells.length;
  const look = {
    cells,
    name: (/** @type {number} */ c, /** @type {number} */ r) => LETTERS[c] + (size - r),
    piece: stone,
    backdrop: lines(size),
    area: (/** @type {number} */ x, /** @type {number} */ y) => html`<circle cx=${x} cy=${y} r="18" />`,
    kind: "go",
  };
  return html`<${Grid} ...${props} look=${look} />`;
}

export const FAMILIES = [{ words: ["go"], Board }];
