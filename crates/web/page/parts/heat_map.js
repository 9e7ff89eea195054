// Differences between pairs as a heat map: blue if the row is better than the column, orange if it is worse, and deeper
// for larger differences. A line below says the numbers of the pair under the pointer or the arrow keys.

import { html, useState } from "../vendor/htm-preact.js";

const CELL = 20;
const ROOM = 46;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** A difference with its sign. @param {number} value */
const signed = (value) => `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(2)}`;

/**
 * @param {{labels: string[], notes: string[], values: (number | null)[][], label: string}} props
 * `values` by row and column, null for pairs without a value; `notes` more about each action, for the line below.
 */
export function HeatMap({ labels, notes, values, label }) {
  const [at, setAt] = useState(/** @type {[number, number] | null} */ (null));
  const size = labels.length;
  const most = Math.max(1e-9, ...values.flat().map((value) => Math.abs(value ?? 0)));
  const whole = ROOM + size * CELL + 2;
  const here = at && at[0] < size && at[1] < size ? at : null;
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const by = ARROWS[event.key];
    if (!by) return;
    event.preventDefault();
    const [row, column] = here ?? [0, 0];
    const within = (/** @type {number} */ place) => Math.max(0, Math.min(size - 1, place));
    setAt(here ? [within(row + by[0]), within(column + by[1])] : [0, 0]);
  };
  /** @param {PointerEvent} event */
  const pointed = (event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const place = (/** @type {number} */ px, /** @type {number} */ start, /** @type {number} */ length) => Math.floor((((px - start) / length) * whole - ROOM) / CELL);
    const [row, column] = [place(event.clientY, box.top, box.height), place(event.clientX, box.left, box.width)];
    if (row >= 0 && column >= 0 && row < size && column < size) setAt([row, column]);
  };
  const cell = (/** @type {number | null} */ value, /** @type {number} */ row, /** @type {number} */ column) => {
    const [px, py] = [ROOM + column * CELL, ROOM + row * CELL];
    if (row === column) return html`<rect class="same" x=${px} y=${py} width=${CELL} height=${CELL} />`;
    if (value === null) return html`<path class="unknown" d=${`M${px + 6} ${py + 6}l8 8m0 -8l-8 8`} />`;
    return html`<rect class=${value >= 0 ? "p0" : "p1"} x=${px} y=${py} width=${CELL} height=${CELL} fill-opacity=${Math.sqrt(Math.abs(value) / most).toFixed(2)} />`;
  };
  return html`<figure class="heat-map">
    <svg viewBox=${`0 0 ${whole} ${whole}`} style=${{ maxWidth: `${Math.min(720, whole * 1.6)}px` }} role="group" tabindex="0" aria-label=${`${label}. The arrow keys go from pair to pair.`}
      onKeyDown=${pressed} onPointerMove=${pointed} onPointerDown=${pointed} onFocus=${() => here ?? setAt([0, Math.min(1, size - 1)])}>
      <g aria-hidden="true">
      ${labels.map((name, index) => html`<text class="y" x=${ROOM - 4} y=${ROOM + (index + 0.7) * CELL}>${name}</text>
        <text class="y" transform=${`translate(${ROOM + (index + 0.7) * CELL} ${ROOM - 4}) rotate(90)`}>${name}</text>`)}
      ${values.map((row, r) => row.map((value, c) => cell(value, r, c)))}
      ${here && html`<rect class="here" x=${ROOM + here[1] * CELL} y=${ROOM + here[0] * CELL} width=${CELL} height=${CELL} />`}
      </g>
    </svg>
    <p class="told pair" role="status">${here ? saidOf(here, labels, notes, values) : "Point at a pair, or use Tab and the arrow keys."}</p>
    <p class="legend number"><span class="scale" aria-hidden="true"></span> the row is worse by ${most.toFixed(1)} points … equal … better by ${most.toFixed(1)}</p>
  </figure>`;
}

/** @param {[number, number]} at @param {string[]} labels @param {string[]} notes @param {(number | null)[][]} values */
function saidOf([row, column], labels, notes, values) {
  if (row === column) return html`<b>${labels[row]}</b> ${notes[row]}`;
  const value = values[row]?.[column] ?? null;
  const found = value === null ? "never compared" : `${signed(value)} points`;
  return html`<b>${labels[row]}</b> ${notes[row]} against <b>${labels[column]}</b> ${notes[column]}: <b class="number">${found}</b>`;
}
