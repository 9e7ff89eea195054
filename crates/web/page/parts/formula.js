// The numbers of a node's actions, and the rule's formula with the chosen action's numbers filled in.

import { html } from "../vendor/htm-preact.js";
import { count, short } from "../format.js";

/** Actions that the table shows. */
const ROWS_MAX = 10;

/** @param {number | null | undefined} number */
const two = (number) => (number === null || number === undefined ? "" : number.toFixed(3));

/**
 * @param {{told: any, action?: string, node: any}} props `told` are the actions beside the chosen one, as the server gives them.
 */
export function Formula({ told, action, node }) {
  if (!told) return html`<p class="told">${node ? `${count(node.pulls)} visits` : ""}</p>`;
  const arm = told.arms.find((/** @type {any} */ arm) => arm.action === action);
  return html`<div class="formula">
    ${arm && filled(told, arm)}
    <${ToldArms} arms=${told.arms} chosen=${action} caption=${`${told.player} chooses by ${told.rule}`} />
  </div>`;
}

/** The formula in words and numbers. @param {any} told @param {any} arm */
function filled({ visits, c }, arm) {
  const { pulls, mean, bound, score, prior } = arm;
  if (bound !== null && bound !== undefined && c !== null) {
    return html`<p class="equation number">bound of ${arm.action} = mean + c √(ln n / nᵢ)<br />
      = ${two(mean)} + ${c} √(ln ${count(visits)} / ${count(pulls)})<br />= ${two(mean)} + ${two(bound - mean)} = <b>${two(bound)}</b></p>`;
  }
  if (score !== undefined && c !== null) {
    return html`<p class="equation number">score of ${arm.action} = mean + c p √n / (1 + nᵢ)<br />
      with p = ${two(prior)}, n = ${count(visits)}, nᵢ = ${count(pulls)}<br />= <b>${two(score)}</b></p>`;
  }
  return html`<p class="equation number">${arm.action}: ${count(pulls)} visits, mean ${two(mean) || "not known"}</p>`;
}

/** A table of actions with bounds or scores, the largest marked. @param {{arms: any[], chosen?: string, caption: string}} props */
export function ToldArms({ arms, chosen, caption }) {
  const number = (/** @type {any} */ arm) => arm.score ?? arm.bound ?? (arm.pulls === 0 ? Infinity : arm.mean);
  const known = [...arms].sort((a, b) => number(b) - number(a));
  const best = known.length > 0 ? number(known[0]) : 0;
  const has = (/** @type {string} */ key) => arms.some((arm) => arm[key] !== undefined && arm[key] !== null);
  const columns = ["prior", "bound", "score"].filter(has);
  const shown = known.slice(0, ROWS_MAX);
  const chosenArm = arms.find((arm) => arm.action === chosen);
  if (chosenArm && !shown.includes(chosenArm)) shown[shown.length - 1] = chosenArm;
  const row = (/** @type {any} */ arm) => html`<tr key=${arm.action} class=${`${number(arm) === best ? "best" : ""} ${arm.action === chosen ? "taken" : ""}`}>
    <th scope="row">${arm.action}</th><td class="right">${short(arm.pulls)}</td><td class="right">${arm.pulls ? two(arm.mean) : "-"}</td>
    ${columns.map((column) => html`<td class="right">${column === "bound" && arm.pulls === 0 ? "∞" : two(arm[column])}</td>`)}</tr>`;
  return html`<table class="told-arms"><caption>${caption}</caption>
    <thead><tr><th scope="col">action</th><th scope="col" class="right">visits</th><th scope="col" class="right">mean</th>
      ${columns.map((column) => html`<th scope="col" class="right">${column}</th>`)}</tr></thead>
    <tbody>${shown.map(row)}</tbody>
    ${arms.length > shown.length && html`<tfoot><tr><td colspan="6">and ${arms.length - shown.length} more</td></tr></tfoot>`}
  </table>`;
}
