// The value of the position over the game, as a line: how good it is for the first player.

import { html } from "../vendor/htm-preact.js";

const WIDTH = 320;
const HEIGHT = 96;
const LEFT = 40;

/**
 * @param {{values: (number | null)[], at: number, range: [number, number], player: string, go?: (ply: number) => void}} props
 * `values` by ply, in 0..=1 or in points; `range` the values at the foot and the top.
 */
export function ValueLine({ values, at, range: [low, high], player, go }) {
  const last = Math.max(1, values.length - 1);
  const x = (/** @type {number} */ ply) => LEFT + ((WIDTH - LEFT - 8) * ply) / last;
  const y = (/** @type {number} */ value) => HEIGHT - 8 - ((HEIGHT - 16) * (value - low)) / (high - low || 1);
  const known = values.map((value, ply) => ({ value, ply })).filter(({ value }) => value !== null && value !== undefined);
  const line = known.map(({ value, ply }, index) => `${index ? "L" : "M"}${x(ply).toFixed(1)} ${y(/** @type {number} */ (value)).toFixed(1)}`).join("");
  const middle = (low + high) / 2;
  const digits = high - low > 20 ? 0 : high - low > 2 ? 1 : 2;
  const latest = values[at];
  const told = latest === null || latest === undefined ? "not known" : latest.toFixed(digits + (high - low > 2 ? 0 : 1));
  const clicked = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * WIDTH;
    go?.(Math.max(0, Math.min(values.length - 1, Math.round(((place - LEFT) / (WIDTH - LEFT - 8)) * last))));
  };
  return html`<figure class="value-line">
    <figcaption>Value to ${player}: <b class="number">${told}</b></figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${`Value to ${player} after each move`} onClick=${clicked}>
      ${[low, middle, high].map((value) => html`<line class="rule" x1=${LEFT} x2=${WIDTH - 8} y1=${y(value)} y2=${y(value)} />
        <text x=${LEFT - 6} y=${y(value) + 4}>${value.toFixed(digits)}</text>`)}
      <line class="now" x1=${x(at)} x2=${x(at)} y1="8" y2=${HEIGHT - 8} />
      <path d=${line} />
      ${known.length > 0 && known.length < 60 && known.map(({ value, ply }) => html`<circle cx=${x(ply)} cy=${y(/** @type {number} */ (value))} r="2.5" />`)}
    </svg>
  </figure>`;
}
