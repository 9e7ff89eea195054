// A thermograph, the usual way: temperature upwards, and larger values, Left's side, on the left.

import { html } from "../vendor/htm-preact.js";

const WIDTH = 460;
const HEIGHT = 360;
const ROOM = { left: 46, right: 16, top: 20, bottom: 40 };

/** The shown height of the mast, as a share of the height below it. */
const MAST = 0.25;

/** About how many lines of the grid there are along each axis. */
const LINES = 7;

/** @typedef {{text: string, value: number}} Exact */
/** @typedef {{left: [number, number][], right: [number, number][], mean: Exact, temperature: Exact, left_stop: Exact, right_stop: Exact}} Graph */

/** The value of a wall at a tax. @param {[number, number][]} wall @param {number} tax */
function valueAt(wall, tax) {
  const above = wall.findIndex(([corner]) => corner > tax);
  if (above < 0) return wall[wall.length - 1][1];
  const [start, end] = [wall[Math.max(0, above - 1)], wall[above]];
  const share = end[0] > start[0] ? Math.max(0, tax - start[0]) / (end[0] - start[0]) : 0;
  return start[1] + share * (end[1] - start[1]);
}

/** A wall as (tax, value) from one tax up to another. @param {[number, number][]} wall @param {number} from @param {number} to */
function lineOf(wall, from, to) {
  const between = wall.filter(([tax]) => tax > from && tax < to);
  return [[from, valueAt(wall, from)], ...between, [to, valueAt(wall, to)]];
}

/** Round places for lines of the grid. @param {number} low @param {number} high */
function places(low, high) {
  const rough = (high - low) / LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (/** @type {number} */ ([1, 2, 5, 10].find((factor) => factor * power >= rough)));
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, index) => ({ at: (first + index) * step, label: ((first + index) * step).toFixed(digits) }));
}

/** @param {{graph: Graph, of: string}} props */
export function ThermographPicture({ graph, of }) {
  const [mean, top] = [graph.mean.value, graph.temperature.value];
  const bottom = Math.min(0, top);
  const walls = [graph.left, graph.right].map((wall) => lineOf(wall, bottom, top));
  const values = walls.flat().map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high > low ? 0.05 * (high - low) : 1;
  const ceiling = top + MAST * (top > bottom ? top - bottom : 1);
  const x = (/** @type {number} */ value) => ROOM.left + ((WIDTH - ROOM.left - ROOM.right) * (high + room - value)) / (high - low + 2 * room);
  const y = (/** @type {number} */ tax) => ROOM.top + ((HEIGHT - ROOM.top - ROOM.bottom) * (ceiling - tax)) / (ceiling - bottom);
  const path = (/** @type {number[][]} */ line) => line.map(([tax, value], index) => `${index ? "L" : "M"}${x(value).toFixed(1)} ${y(tax).toFixed(1)}`).join("");
  const foot = HEIGHT - ROOM.bottom;
  const told = `Thermograph of ${of}: mean ${graph.mean.text}, temperature ${graph.temperature.text}, left stop ${graph.left_stop.text}, right stop ${graph.right_stop.text}`;
  const isLeft = x(mean) < WIDTH / 2;
  return html`<figure class="thermograph">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${told}>
      ${places(low - room, high + room).map(({ at, label }) => html`<line class="rule" x1=${x(at)} x2=${x(at)} y1=${ROOM.top} y2=${foot} /><text class="x" x=${x(at)} y=${foot + 16}>${label}</text>`)}
      ${places(bottom, ceiling).map(({ at, label }) => html`<line class="rule" x1=${ROOM.left} x2=${WIDTH - ROOM.right} y1=${y(at)} y2=${y(at)} /><text class="y" x=${ROOM.left - 6} y=${y(at) + 4}>${label}</text>`)}
      <path class="wall mast" d=${path([[top, mean], [ceiling, mean]])} />
      <path class="wall p1" d=${path(walls[1])} /><path class="wall p0" d=${path(walls[0])} />
      <circle class="foot" cx=${x(mean)} cy=${y(top)} r="4" />
      <text class=${isLeft ? "point" : "point end"} x=${x(mean) + (isLeft ? 10 : -10)} y=${y(top) - 8}>mean ${graph.mean.text}, temperature ${graph.temperature.text}</text>
      <text class="p0" x=${ROOM.left} y=${HEIGHT - 6}>Left moves first</text>
      <text class="x" x=${(ROOM.left + WIDTH - ROOM.right) / 2} y=${HEIGHT - 6}>value to Left</text>
      <text class="p1" x=${WIDTH - ROOM.right} y=${HEIGHT - 6}>Right moves first</text>
      <text class="axis-name" x="4" y="12">temperature</text>
    </svg>
  </figure>`;
}
