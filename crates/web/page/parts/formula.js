// The numbers of a node's actions, and the rule's formula with the chosen action's numbers filled in.

import { html } from "../vendor/htm-preact.js";
import { count, short } from "../format.js";

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

/** Whether the solver has proven an action. @param {any} arm */
const isProven = (arm) => arm.bounds && arm.bounds[0] === arm.bounds[1];

/** What the solver knows of an action's worth. @param {[number, number] | null | undefined} bounds */
export const worthOf = (bounds) => (!bounds ? "" : bounds[0] === bounds[1] ? `proven ${two(bounds[0])}` : `${two(bounds[0])} to ${two(bounds[1])}`);

/**
 * The rule's formula in symbols, and what the server made of it with the action's numbers.
 * @param {any} told @param {any} arm
 */
function filled({ rule, formula }, arm) {
  const { action, pulls, mean, filled = [] } = arm;
  const known = `${action}: ${count(pulls)} ${pulls === 1 ? "visit" : "visits"}, mean ${two(mean) || "not known"}`;
  if (isProven(arm)) return html`<p class="equation number">${known}<br />The solver has proven it, so the rule does not explore it.</p>`;
  const name = (arm.bound ?? null) !== null ? "bound" : "score";
  const head = formula ? `${name} of ${action} = ${formula}` : `${known}. ${rule}:`;
  return html`<div class="equation number"><p>${head}</p>${filled.map((/** @type {string} */ line, /** @type {number} */ index) => html`<${Line} line=${line} name=${index === 0 ? name : null} />`)}</div>`;
}

/**
 * An equation, each of its parts on a line of its own, the result last; or a sentence. `name` is what the formula above is called.
 * @param {{line: string, name: string | null}} props
 */
function Line({ line, name }) {
  if (line.endsWith(".")) return html`<p>${line}</p>`;
  const [left, ...parts] = line.split(" = ");
  const rest = parts.map((part, index) => html`${index > 0 && html`<br />`} = ${index + 1 === parts.length ? html`<b>${part}</b>` : part}`);
  return html`<p>${left !== name && left}${rest}</p>`;
}

/** A table of actions with bounds or scores, the largest marked. @param {{arms: any[], chosen?: string, caption: string}} props */
export function ToldArms({ arms, chosen, caption }) {
  const number = (/** @type {any} */ arm) => arm.score ?? arm.bound ?? (arm.pulls === 0 ? Infinity : arm.mean);
  const known = [...arms].sort((a, b) => number(b) - number(a));
  const best = known.length > 0 ? number(known[0]) : 0;
  const has = (/** @type {string} */ key) => arms.some((arm) => arm[key] !== undefined && arm[key] !== null);
  const columns = ["prior", "bound", "score"].filter(has);
  const row = (/** @type {any} */ arm) => html`<tr key=${arm.action} class=${`${number(arm) === best ? "best" : ""} ${arm.action === chosen ? "taken" : ""}`}>
    <th scope="row">${arm.action}</th><td class="right">${short(arm.pulls)}</td><td class="right">${arm.pulls ? two(arm.mean) : "-"}</td>
    ${columns.map((column) => html`<td class="right">${column === "bound" && arm.pulls === 0 ? "∞" : two(arm[column])}</td>`)}
    ${has("bounds") && html`<td class="right">${worthOf(arm.bounds)}</td>`}</tr>`;
  return html`<div class="scroll children" tabindex="0" role="group" aria-label="Actions"><table class="told-arms"><caption>${caption}</caption>
    <thead><tr><th scope="col">action</th><th scope="col" class="right">visits</th><th scope="col" class="right">mean</th>
      ${columns.map((column) => html`<th scope="col" class="right">${column}</th>`)}${has("bounds") && html`<th scope="col" class="right">solver</th>`}</tr></thead>
    <tbody>${known.map(row)}</tbody>
  </table></div>`;
}
