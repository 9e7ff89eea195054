// The best lines of a search, each walked through by clicks, the arrow keys or the wheel.

import { html } from "../vendor/htm-preact.js";
import { short } from "../format.js";

/** Moves of a line that are shown. */
const LENGTH_MAX = 14;

/**
 * @typedef {{line: string[], step: number}} Walk
 * @param {{found: any, agent: string, walk: Walk | null, go: (walk: Walk | null) => void}} props
 */
export function Lines({ found, agent, walk, go }) {
  const lines = found.lines?.length ? found.lines : [{ actions: found.line, pulls: null, value: found.value }];
  const known = lines.filter((/** @type {any} */ line) => line.actions.length > 0);
  if (known.length === 0) return null;
  const line = (/** @type {any} */ { actions, pulls, value }) => {
    const shown = actions.slice(0, LENGTH_MAX);
    const isWalked = walk !== null && walk.line[0] === shown[0];
    const step = isWalked ? walk.step : 0;
    const to = (/** @type {number} */ step) => go(step <= 0 ? null : { line: isWalked && walk.line.length >= step ? walk.line : shown, step: Math.min(step, shown.length) });
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (by) (event.preventDefault(), to(step + by));
      if (event.key === "Home" || event.key === "Escape") to(0);
      if (event.key === "End") to(shown.length);
    };
    const rolled = (/** @type {WheelEvent} */ event) => (event.preventDefault(), to(step + Math.sign(event.deltaY)));
    const drawn = isWalked ? walk.line : shown;
    return html`<li key=${shown[0]}>
      <div class="line" role="slider" tabindex="0" aria-label=${`Line ${drawn.join(" ")}`} aria-valuemin="0" aria-valuemax=${drawn.length} aria-valuenow=${step}
        aria-valuetext=${step ? `after ${drawn.slice(0, step).join(" ")}` : "not walked"} onKeyDown=${pressed} onWheel=${rolled}>
        <span class="number line-value">${value === null || value === undefined ? "" : value.toFixed(3)}${pulls ? ` ${short(pulls)}` : ""}</span>
        ${drawn.map((/** @type {string} */ action, /** @type {number} */ index) => html`<span class=${`step ${index < step ? "walked" : ""}`} onClick=${() => to(index + 1)}>${action}</span>`)}
      </div></li>`;
  };
  return html`<section aria-label=${`Best lines of ${agent}`}><h2>Best lines <small>arrow keys or the wheel walk through them</small></h2>
    <ol class="lines-list">${known.map(line)}</ol></section>`;
}
