// Lines with bands: several quantities over one axis. Lines differ by colour and by dashes, and the legend says the last values.

import { html } from "../vendor/htm-preact.js";
import { short } from "../format.js";

const WIDTH = 480;
const HEIGHT = 260;
const ROOM = { left: 52, right: 22, top: 12, bottom: 34 };

/** About how many lines of the grid there are along the value's axis. */
const LINES = 5;

/**
 * @typedef {{x: number, y: number, low?: number, high?: number}} Point
 * @typedef {{name: string, points: Point[]}} Series
 */

/** A round distance between lines of the grid. @param {number} range */
function stepOf(range) {
  const power = 10 ** Math.floor(Math.log10(range / LINES));
  return power * (/** @type {number} */ ([1, 2, 5, 10].find((factor) => factor * power * LINES >= range - 1e-12)));
}

/** Lines of the grid from 0 on. @param {number} most */
function linear(most) {
  const step = stepOf(most);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** 1, 10, 100... @param {number} most */
const powers = (most) => Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, index) => 10 ** index);

/** A number beside a line of the grid. @param {number} value @param {number} step */
const label = (value, step) => (value >= 10_000 ? short(value) : value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))));

/** Lines of the grid between two values. @param {number} low @param {number} high */
function between(low, high) {
  const step = stepOf(high - low);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, index) => (first + index) * step);
}

/**
 * @param {{title: string, series: Series[], xMost: number, xName: string, isLog?: boolean, xLeast?: number, ticks?: {x: number, text: string}[],
 *   range?: [number, number], marks?: {y: number, name: string}[], digits?: number, dots?: Point[], strip?: [number, number] | null}} props
 * `xMost` is the end of the axis, so that it stands still while lines grow. `range` are the ends of the values' axis, from 0
 * without it. `marks` are values with names; `dots` points with intervals; `strip` a part of the axis that stands out.
 */
export function Plot({ title, series, xMost, xName, isLog, xLeast = 0, ticks, range, marks = [], digits = 3, dots = [], strip }) {
  const top = Math.max(0, ...series.flatMap(({ points }) => points.map(({ y, high }) => high ?? y))) || 1;
  const step = stepOf(range ? range[1] - range[0] : top);
  const [least, most] = range ?? [0, Math.ceil(top / step - 1e-9) * step];
  const place = (/** @type {number} */ value) => (isLog ? Math.log(Math.max(1, value)) / Math.log(Math.max(2, xMost)) : (value - xLeast) / (xMost - xLeast || 1));
  const x = (/** @type {number} */ value) => ROOM.left + (WIDTH - ROOM.left - ROOM.right) * place(value);
  const y = (/** @type {number} */ value) => HEIGHT - ROOM.bottom - (HEIGHT - ROOM.top - ROOM.bottom) * ((Math.min(range ? most : Infinity, Math.max(least, value)) - least) / (most - least));
  const at = (/** @type {number} */ px, /** @type {number} */ py) => `${px.toFixed(1)} ${py.toFixed(1)}`;
  const line = ({ points }) => points.map((/** @type {Point} */ point, /** @type {number} */ index) => `${index ? "L" : "M"}${at(x(point.x), y(point.y))}`).join("");
  const band = (/** @type {Series} */ { points }) => {
    const wide = points.filter((point) => point.low !== undefined);
    if (wide.length < 2) return null;
    const up = wide.map((point) => at(x(point.x), y(/** @type {number} */ (point.high))));
    const down = wide.map((point) => at(x(point.x), y(/** @type {number} */ (point.low)))).reverse();
    return `M${[...up, ...down].join("L")}Z`;
  };
  const xStep = isLog ? 1 : stepOf(xMost);
  const shown = ticks ?? (isLog ? powers(xMost) : linear(xMost)).map((value) => ({ x: value, text: label(value, xStep) }));
  const told = series.filter(({ points }) => points.length > 0).map(({ name, points }) => `${name} ${points[points.length - 1].y.toFixed(digits)}`);
  const foot = HEIGHT - ROOM.bottom;
  return html`<figure class="plot">
    <figcaption>${title}</figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${`${title} by ${xName}. ${told.length > 0 ? `At the end: ${told.join(", ")}.` : "No points yet."}${marks.map(({ name, y }) => ` ${name}: ${y.toFixed(digits)}.`).join("")}`}>
      ${strip && html`<rect class="strip" x=${x(strip[0])} y=${ROOM.top} width=${x(strip[1]) - x(strip[0])} height=${foot - ROOM.top} />`}
      ${(range ? between(least, most) : linear(most)).map((value) => html`<line class="rule" x1=${ROOM.left} x2=${WIDTH - ROOM.right} y1=${y(value)} y2=${y(value)} />
        <text class="y" x=${ROOM.left - 6} y=${y(value) + 3.5}>${label(value, step)}</text>`)}
      ${shown.map(({ x: value, text }) => html`<line class="tick" x1=${x(value)} x2=${x(value)} y1=${foot} y2=${foot + 4} />
        <text class="x" x=${x(value)} y=${HEIGHT - ROOM.bottom + 16}>${text}</text>`)}
      <text class="x" x=${(ROOM.left + WIDTH - ROOM.right) / 2} y=${HEIGHT - 4}>${xName}</text>
      ${series.map((one, index) => html`<path class=${`band series${index}`} d=${band(one)} />`)}
      ${marks.map(({ y: value, name }) => html`<line class="mark-line" x1=${ROOM.left} x2=${WIDTH - ROOM.right} y1=${y(value)} y2=${y(value)} />
        <text class="mark-name" x=${WIDTH - ROOM.right - 4} y=${y(value) + (y(value) < ROOM.top + 14 ? 13 : -5)}>${name}</text>`)}
      ${series.map((one, index) => html`<path class=${`series series${index}`} d=${line(one)} />`)}
      ${dots.map((dot) => html`<g class="dot"><line x1=${x(dot.x)} x2=${x(dot.x)} y1=${y(dot.low ?? dot.y)} y2=${y(dot.high ?? dot.y)} /><circle cx=${x(dot.x)} cy=${y(dot.y)} r="4" /></g>`)}
    </svg>
  </figure>`;
}

/** The sign of a series in a legend. @param {{index: number}} props */
export const SeriesSign = ({ index }) => html`<svg class="series-sign" viewBox="0 0 28 10" aria-hidden="true"><path class=${`series series${index}`} d="M1 5L27 5" /></svg>`;
