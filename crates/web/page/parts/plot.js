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

/**
 * @param {{title: string, series: Series[], xMost: number, xName: string, isLog?: boolean, isRunning?: boolean}} props
 * `xMost` is the end of the axis, so that it stands still while lines grow.
 */
export function Plot({ title, series, xMost, xName, isLog }) {
  const top = Math.max(0, ...series.flatMap(({ points }) => points.map(({ y, high }) => high ?? y))) || 1;
  const step = stepOf(top);
  const most = Math.ceil(top / step - 1e-9) * step;
  const place = (/** @type {number} */ value) => (isLog ? Math.log(Math.max(1, value)) / Math.log(Math.max(2, xMost)) : value / xMost);
  const x = (/** @type {number} */ value) => ROOM.left + (WIDTH - ROOM.left - ROOM.right) * place(value);
  const y = (/** @type {number} */ value) => HEIGHT - ROOM.bottom - (HEIGHT - ROOM.top - ROOM.bottom) * (Math.max(0, value) / most);
  const at = (/** @type {number} */ px, /** @type {number} */ py) => `${px.toFixed(1)} ${py.toFixed(1)}`;
  const line = ({ points }) => points.map((/** @type {Point} */ point, /** @type {number} */ index) => `${index ? "L" : "M"}${at(x(point.x), y(point.y))}`).join("");
  const band = (/** @type {Series} */ { points }) => {
    const wide = points.filter((point) => point.low !== undefined);
    if (wide.length < 2) return null;
    const up = wide.map((point) => at(x(point.x), y(/** @type {number} */ (point.high))));
    const down = wide.map((point) => at(x(point.x), y(/** @type {number} */ (point.low)))).reverse();
    return `M${[...up, ...down].join("L")}Z`;
  };
  const ticks = isLog ? powers(xMost) : linear(xMost);
  const xStep = isLog ? 1 : stepOf(xMost);
  const told = series.filter(({ points }) => points.length > 0).map(({ name, points }) => `${name} ${points[points.length - 1].y.toFixed(3)}`);
  return html`<figure class="plot">
    <figcaption>${title}</figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${`${title} by ${xName}. ${told.length > 0 ? `At the end: ${told.join(", ")}.` : "No points yet."}`}>
      ${linear(most).map((value) => html`<line class="rule" x1=${ROOM.left} x2=${WIDTH - ROOM.right} y1=${y(value)} y2=${y(value)} />
        <text class="y" x=${ROOM.left - 6} y=${y(value) + 3.5}>${label(value, step)}</text>`)}
      ${ticks.map((value) => html`<line class="tick" x1=${x(value)} x2=${x(value)} y1=${HEIGHT - ROOM.bottom} y2=${HEIGHT - ROOM.bottom + 4} />
        <text class="x" x=${x(value)} y=${HEIGHT - ROOM.bottom + 16}>${label(value, xStep)}</text>`)}
      <text class="x" x=${(ROOM.left + WIDTH - ROOM.right) / 2} y=${HEIGHT - 4}>${xName}</text>
      ${series.map((one, index) => html`<path class=${`band series${index}`} d=${band(one)} />`)}
      ${series.map((one, index) => html`<path class=${`series series${index}`} d=${line(one)} />`)}
    </svg>
  </figure>`;
}

/** The sign of a series in a legend. @param {{index: number}} props */
export const SeriesSign = ({ index }) => html`<svg class="series-sign" viewBox="0 0 28 10" aria-hidden="true"><path class=${`series series${index}`} d="M1 5L27 5" /></svg>`;
