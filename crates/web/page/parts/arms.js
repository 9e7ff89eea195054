// The actions of a position as a search sees them: pulls as bars, means with their intervals.

import { html } from "../vendor/htm-preact.js";
import { count, short, worth } from "../format.js";

/** A table shows no more actions than this. */
const ROWS_MAX = 14;

/** The half width of an interval of 95 %, in standard errors. */
const WIDE = 1.96;

/** The actions, the most pulled first. @param {any} found */
export function sorted(found) {
  const order = (/** @type {any} */ a, /** @type {any} */ b) => b.pulls - a.pulls || b.mean - a.mean || (b.prior ?? 0) - (a.prior ?? 0);
  return [...found.arms].sort(order);
}

/** What a board shows of each action. @param {any} found @returns {Map<string, import("../boards/grid.js").Mark>} */
export function marksOf(found) {
  const pulls = found.arms.reduce((/** @type {number} */ sum, /** @type {any} */ arm) => sum + arm.pulls, 0);
  const mark = (/** @type {any} */ arm) => {
    // Exact play counts no pulls: the best actions share the whole.
    const share = pulls > 0 ? arm.pulls / pulls : arm.action === found.best ? 1 : 0;
    return [arm.action, { share, mean: worth(arm).replace(/^0\./, "."), best: arm.action === found.best }];
  };
  return new Map(sorted(found).map(mark));
}

/** A mean and its interval on a scale from 0 to 1. @param {{arm: any, best: boolean}} props */
function Whisker({ arm, best }) {
  if (arm.pulls === 0 && arm.mean === 0) return html`<svg class="whisker" viewBox="0 0 100 14" aria-hidden="true" />`;
  const x = (/** @type {number} */ value) => 2 + 96 * Math.max(0, Math.min(1, value));
  const half = WIDE * (arm.error ?? 0);
  return html`<svg class=${`whisker ${best ? "best" : ""}`} viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
    <line class="axis" x1="2" x2="98" y1="7" y2="7" /><line class="axis" x1="50" x2="50" y1="3" y2="11" />
    <line class="range" x1=${x(arm.mean - half)} x2=${x(arm.mean + half)} y1="7" y2="7" />
    <rect x=${x(arm.mean) - 1.5} y="2" width="3" height="10" />
  </svg>`;
}

/** @param {{found: any, point?: (action: string | null) => void, choose?: (action: string) => void}} props */
export function Arms({ found, point, choose }) {
  const arms = sorted(found);
  const pulls = arms.reduce((sum, arm) => sum + arm.pulls, 0);
  const most = Math.max(1, ...arms.map((arm) => arm.pulls));
  const priors = arms.some((arm) => arm.prior !== undefined);
  const row = (/** @type {any} */ arm) => html`<tr key=${arm.action} class=${arm.action === found.best ? "best" : ""}
    onPointerEnter=${() => point?.(arm.action)} onPointerLeave=${() => point?.(null)}>
    <th scope="row">${choose ? html`<button type="button" class="link" onClick=${() => choose(arm.action)}>${arm.action}</button>` : arm.action}</th>
    <td class="bar-cell"><span class="pulls-bar" style=${{ width: `${(100 * arm.pulls) / most}%` }}></span></td>
    <td class="right" title=${count(arm.pulls)}>${short(arm.pulls)}</td>
    <td class="right">${pulls ? `${((100 * arm.pulls) / pulls).toFixed(1)}%` : ""}</td>
    <td class="right">${arm.pulls || arm.mean ? worth(arm) : ""}${arm.proven !== undefined ? html`<abbr title="proven">✓</abbr>` : ""}</td>
    <td><${Whisker} arm=${arm} best=${arm.action === found.best} /></td>
    ${priors && html`<td class="right">${arm.prior?.toFixed(3)}</td>`}
  </tr>`;
  return html`<table class="arms">
    <caption>Actions, the most visited first</caption>
    <thead><tr><th scope="col">action</th><th scope="col"><span class="unseen">share of the visits</span></th><th scope="col" class="right">visits</th><th scope="col" class="right">share</th>
      <th scope="col" class="right">mean</th><th scope="col">interval</th>${priors && html`<th scope="col" class="right">prior</th>`}</tr></thead>
    <tbody>${arms.slice(0, ROWS_MAX).map(row)}</tbody>
    ${arms.length > ROWS_MAX && html`<tfoot><tr><td colspan="7">and ${arms.length - ROWS_MAX} more</td></tr></tfoot>`}
  </table>`;
}
