// The two worked examples of the lecture (papers/strass2026): a node of 98 playouts, and nine plays of three arms. The
// numbers of the rule come from the server, which asks the same UCB1 that searches use.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { ask } from "../api.js";
import { go } from "../address.js";
import { Problem } from "./controls.js";
import { Waiting, useReady } from "./ready.js";

const RULE = "ucb1(c=1.4142135)";

/** Wins and playouts of the tree's three children. */
const CHILDREN = [[60, 79], [1, 10], [0, 9]];

/** The rewards of the nine plays, in their order. */
const REWARDS = [0.3, 0, 1, 0, 0.3, 0.5, 1, 0, 0.3];

/** The steps of the tree. @type {[string, string][]} the key, and the title */
const STEPS = [
  ["children", "its children"],
  ["bounds", "select: the bounds"],
  ["largest", "select: the largest"],
  ["expand", "expand"],
  ["simulate", "simulate"],
  ["backup", "back up a win"],
  ["next", "the next choice"],
];

/** @param {number} number */
const two = (number) => (Math.round(number * 100) / 100).toFixed(2);

/** @typedef {{pulls: number, mean: number}} Arm */

/** What UCB1 makes of arms. @param {Arm[]} arms */
const judged = (arms) => ask("rule", { body: { rule: RULE, arms } });

/** Every state of the bandit, with bounds and choices, play by play. */
async function plays() {
  const arms = [0, 1, 2].map(() => ({ pulls: 0, mean: 0 }));
  const rows = [];
  for (const reward of [...REWARDS, null]) {
    const { bounds, choice } = await judged(arms);
    rows.push({ arms: arms.map((arm) => ({ ...arm })), bounds, choice, reward });
    if (reward === null) break;
    const arm = arms[choice];
    arm.mean = (arm.mean * arm.pulls + reward) / (arm.pulls + 1);
    arm.pulls++;
  }
  return rows;
}

/** The tree's node before and after a playout that was won. */
async function playouts() {
  const before = CHILDREN.map(([wins, pulls]) => ({ pulls, mean: wins / pulls }));
  const first = await judged(before);
  const after = before.map((arm, index) => (index === first.choice ? { pulls: arm.pulls + 1, mean: (arm.mean * arm.pulls + 1) / (arm.pulls + 1) } : arm));
  return [{ arms: before, ...first }, { arms: after, ...(await judged(after)) }];
}

/** @param {{params: import("../address.js").Params, examples: any}} props */
export function Lecture({ params, examples }) {
  const which = params.lecture === "bandit" ? "bandit" : "tree";
  const [rows, setRows] = useState(/** @type {any[]} */ ([]));
  const [error, setError] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    setRows([]);
    (which === "bandit" ? plays() : playouts()).then(setRows, (error) => setError(error.message));
  }, [which]);
  const steps = which === "bandit" ? REWARDS.length : STEPS.length - 1;
  const step = Math.min(steps, Math.max(0, Number(params.step) || 0));
  const to = (/** @type {number} */ step) => go("phases", { lecture: which, step }, { replace: true });
  if (!useReady(rows.length > 0 || error)) return html`<${Waiting} />`;
  return html`<div class="view phases">
    <section class="stage" aria-label="Example">
      <h1 class="status" aria-live="polite">${which === "bandit" ? `Three arms, after ${step} of nine plays` : `A node of 98 playouts: ${STEPS[step][1]}`}</h1>
      ${rows.length > 0 && (which === "bandit" ? html`<${Bandit} rows=${rows} step=${step} />` : html`<${Tree} rows=${rows} word=${STEPS[step][0]} />`)}
      <div class="row buttons">
        <button type="button" onClick=${() => to(step - 1)} disabled=${step === 0}>Back</button>
        <button type="button" class="primary" onClick=${() => to(step + 1)} disabled=${step === steps}>Forward</button>
      </div>
      <label class="field"><span>Step <b class="number">${step}</b> of ${steps}</span>
        <input type="range" min="0" max=${steps} value=${step} onInput=${(/** @type {any} */ event) => to(Number(event.target.value))} /></label>
      <${Problem} error=${error} />
    </section>
    <section class="side" aria-label="What happens">
      <h2>UCB1</h2>
      <p class="equation">bound of an arm = mean + √2 √(ln n / nᵢ)</p>
      <p>n counts all playouts so far, nᵢ those of the arm. The rule pulls the arm with the largest bound; an arm without a pull comes first.</p>
      ${examples}
    </section>
  </div>`;
}

/** The nine plays: what is known before each, and what it brings. @param {{rows: any[], step: number}} props */
function Bandit({ rows, step }) {
  const row = (/** @type {any} */ { arms, bounds, choice, reward }, /** @type {number} */ play) => html`<tr class=${play === step ? "taken" : ""}>
    <th scope="row">${play + 1}</th>
    ${arms.map((/** @type {Arm} */ arm, /** @type {number} */ index) => html`<td class=${`right ${index === choice ? "chosen" : ""}`}>${bounds[index] === null ? "∞" : two(bounds[index])} <small>${two(arm.mean)} of ${arm.pulls}</small></td>`)}
    <td class="right">${play < step ? `arm ${choice + 1} pays ${reward}` : play === step && reward !== null ? `arm ${choice + 1} is next` : ""}</td></tr>`;
  return html`<table class="told-arms lecture"><caption>Bound, and mean of pulls, before each play; the largest bound is marked</caption>
    <thead><tr><th scope="col">play</th>${[1, 2, 3].map((arm) => html`<th scope="col" class="right">arm ${arm}</th>`)}<th scope="col" class="right">what happens</th></tr></thead>
    <tbody>${rows.slice(0, step + 1).map(row)}</tbody></table>`;
}

/** The node, its three children, and the leaf that a simulation adds below them. @param {{rows: any[], word: string}} props */
function Tree({ rows, word }) {
  const isLearned = word === "backup" || word === "next";
  const { arms, bounds, choice } = rows[isLearned ? 1 : 0];
  const all = arms.reduce((/** @type {number} */ sum, /** @type {Arm} */ arm) => sum + arm.pulls, 0);
  const first = rows[0].choice;
  const marked = ["largest", "next"].includes(word) ? choice : ["expand", "simulate", "backup"].includes(word) ? first : null;
  const hasBounds = ["bounds", "largest", "next"].includes(word);
  const xOf = (/** @type {number} */ index) => 90 + index * 150;
  const child = (/** @type {Arm} */ arm, /** @type {number} */ index) => {
    const x = xOf(index);
    return html`<g class=${`lecture-node ${index === marked ? "chosen" : ""}`}>
      <line x1="240" y1="48" x2=${x} y2="130" /><circle cx=${x} cy="150" r="30" />
      <text x=${x} y="155">${Math.round(arm.mean * arm.pulls)}/${arm.pulls}</text><text x=${x} y="205">n${index + 1}</text>
      ${hasBounds && html`<text class="bound" x=${x} y="228">${bounds[index].toFixed(6)}</text>`}</g>`;
  };
  const wins = arms.reduce((/** @type {number} */ sum, /** @type {Arm} */ arm) => sum + arm.mean * arm.pulls, 0);
  /** @type {Record<string, string>} */
  const said = {
    children: "Wins and playouts of each child, as the player who chooses here counts them.",
    bounds: `n = ${all}. The bound of n1 is ${two(arms[0].mean)} + √2 √(ln ${all} / ${arms[0].pulls}) = ${bounds[0].toFixed(6)}.`,
    largest: `n${choice + 1} has the largest bound: the search goes on there, though it was visited most.`,
    expand: `Below n${first + 1} the search selects by UCB1 again, down to a leaf. The leaf gets a child without a playout: 0/0.`,
    simulate: `Random moves from the new child to the end of the game: a full playout, of which only the result counts. It is won: 1.`,
    backup: `The new child counts 1/1. n${first + 1} and the node above it count one playout and one win more: ${Math.round(arms[first].mean * arms[first].pulls)}/${arms[first].pulls} and ${Math.round(wins)}/${all}.`,
    next: `All bounds have changed, since n is ${all} now. The search goes on with n${choice + 1}.`,
  };
  const [x, y] = [xOf(first) + 110, 282];
  const leaf = html`<g class="lecture-node new"><line class="levels" x1=${xOf(first) + 20} y1="173" x2=${x - 16} y2=${y - 25} />
      <circle cx=${x} cy=${y} r="30" /><text x=${x} y=${y + 5}>${isLearned ? "1/1" : "0/0"}</text></g>
    ${word === "simulate" && html`<g class="lecture-node"><path class="levels" d=${`M${x + 30} ${y}q20 -18 40 0t40 0t40 0`} /><text x=${x + 190} y=${y + 5}>won: 1</text></g>`}`;
  return html`<svg class="board lecture-tree" viewBox="0 0 480 320" role="img" aria-label=${`Children ${arms.map((/** @type {Arm} */ arm) => `${Math.round(arm.mean * arm.pulls)} of ${arm.pulls}`).join(", ")}`}>
      ${arms.map(child)}<g class="lecture-node"><circle cx="240" cy="34" r="30" /><text x="240" y="39">${Math.round(wins)}/${all}</text></g>
      ${["expand", "simulate", "backup", "next"].includes(word) && leaf}
    </svg><p class="told">${said[word]}</p>`;
}
