// Bandit lab: rules that pull the arms of bandits, and how much they lose by it.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { ask } from "../api.js";
import { go } from "../address.js";
import { count } from "../format.js";
import { Problem } from "../parts/controls.js";
import { Plot, SeriesSign } from "../parts/plot.js";
import { useStudy } from "../parts/study.js";

/** What an address leaves out. @type {Record<string, string>} */
const DEFAULTS = { rules: "ucb1, voi, thompson", means: "0.9, 0.8, 0.7, 0.5, 0.3", arms: "10", rewards: "bernoulli", pulls: "1000", repeats: "200", seed: "1", speed: "normal" };

/** Milliseconds for each point of the curves, by the name of the speed. @type {Record<string, number>} */
const SPEEDS = { slow: 200, normal: 40, "at once": 0 };

/** Kinds of rewards. @type {Record<string, string>} */
const REWARDS = { bernoulli: "wins and losses", beta: "beta distributed", gauss: "normal, cut off" };

/** How means are drawn. @type {Record<string, string>} */
const DRAWN = { uniform: "at random, uniform", "beta:2,5": "at random, mostly low", "beta:5,2": "at random, mostly high" };

/** Arms that a panel shows. */
const ARMS_SHOWN = 12;

/** The half width of an interval of 95 %, in standard errors. */
const WIDE = 1.96;

/**
 * @typedef {{value: number, interval: {low: number, high: number} | null}} Regret
 * @typedef {{pulls: number, regrets: {simple: Regret, cumulative: Regret}[]}} PointAt
 * @typedef {{pulls: number, average: number, error: number | null, bound: number | null}} KnownArm
 * @typedef {{rules: string[], means: number[], points: PointAt[], pulls: number, known: {arms: KnownArm[], recommended: number}[], isWhole: boolean}} Told
 */

/** What an event makes of what was told. @param {Told | null} told @param {string} event @param {any} news @returns {Told | null} */
function add(told, event, news) {
  if (event === "begun") return { points: [], pulls: 0, known: [], isWhole: false, ...told, ...news };
  if (!told) return null;
  if (event === "points") {
    const last = told.points.at(-1)?.pulls ?? 0;
    return { ...told, known: news.known, pulls: news.pulls, points: [...told.points, ...news.points.filter((/** @type {PointAt} */ point) => point.pulls > last)] };
  }
  return event === "done" ? { ...told, isWhole: news.whole } : told;
}

/** @param {{params: import("../address.js").Params}} props */
function View({ params }) {
  const given = { ...DEFAULTS, ...params };
  const isDrawn = given.means in DRAWN || given.means.startsWith("beta:");
  const body = {
    rules: given.rules,
    means: given.means,
    arms: isDrawn ? wholeOf(given.arms) : null,
    rewards: given.rewards,
    pulls: wholeOf(given.pulls),
    repeats: wholeOf(given.repeats),
    seed: wholeOf(given.seed),
  };
  const study = useStudy("bandit", body, add);
  const { told, isRunning } = study;
  const to = (/** @type {any} */ change, /** @type {any} */ how = {}) => go("bandit", shortest({ ...params, ...change }), how);
  const at = Math.max(0, Number(params.at) || 0);
  const pulls = told?.pulls ?? 0;
  const hasRun = useRef(false);
  const pace = SPEEDS[given.speed] ?? SPEEDS.normal;
  const key = JSON.stringify(body);
  // A link that says how far it was opens there.
  useEffect(() => {
    if (at > 0 && pulls !== at && !isRunning) study.start({ until: at }, true);
  }, [key, at]);
  const start = () => {
    const isNew = !told || told.isWhole || pulls === 0;
    to({ at: null }, { replace: true });
    hasRun.current = true;
    study.start({ after: isNew ? 0 : pulls, pace }, isNew);
  };
  // The address says where a run has ended.
  useEffect(() => {
    if (isRunning || !hasRun.current) return;
    hasRun.current = false;
    if (pulls > 0) to({ at: pulls }, { replace: true });
  }, [isRunning]);
  const change = (/** @type {any} */ change) => to({ ...change, at: null });
  return html`<div class="view bandit">
    <section class="stage" aria-label="Regrets and arms">
      <h1 class="status" aria-live=${isRunning ? "off" : "polite"}>${heading(body, told, isRunning)}</h1>
      <div class="row buttons" role="group" aria-label="Run">
        ${isRunning ? html`<button type="button" class="primary" onClick=${study.stop}>Stop</button>` : html`<button type="button" class="primary" onClick=${start}>${told && !told.isWhole && pulls > 0 ? "Go on" : told?.isWhole ? "Again" : "Start"}</button>`}
        <button type="button" aria-pressed=${String(params.log === "1")} onClick=${() => to({ log: params.log === "1" ? null : "1" }, { replace: true })}>Pulls on a log scale</button>
        <label class="field"><span>Speed</span>
          <select value=${given.speed} onChange=${(/** @type {any} */ event) => to({ speed: event.target.value }, { replace: true })}>${Object.keys(SPEEDS).map((name) => html`<option value=${name}>${name}</option>`)}</select></label>
      </div>
      <${Problem} error=${mistake(given, isDrawn) ?? study.error} />
      <${Curves} told=${told} rules=${told?.rules ?? names(given.rules)} budget=${body.pulls || 1} isLog=${params.log === "1"} />
      ${told && told.known.length > 0 && html`<${Panels} told=${told} />`}
    </section>
    <section class="side" aria-label="The bandits and the rules">
      <${Setup} given=${given} isDrawn=${isDrawn} change=${change} />
    </section>
  </div>`;
}

/** The parameters without those that everybody has. @param {Record<string, any>} params */
const shortest = (params) => Object.fromEntries(Object.entries(params).filter(([key, value]) => value !== DEFAULTS[key]));

/** A whole number; 0 if it is none. @param {string} text */
const wholeOf = (text) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : 0);

/** The field that should be a whole number and is not. @param {Record<string, string>} given @param {boolean} isDrawn */
function mistake(given, isDrawn) {
  const wrong = ["pulls", "repeats", "seed", ...(isDrawn ? ["arms"] : [])].find((key) => !/^\d{1,9}$/.test(given[key].trim()));
  return wrong ? `${wrong}: "${given[wrong]}" found, expected a whole number` : null;
}

/** The rules of a list; a comma in brackets separates none. @param {string} text */
const names = (text) => text.split(/,(?![^(]*\))/).map((name) => name.trim()).filter(Boolean);

/** @param {any} body @param {Told | null} told @param {boolean} isRunning */
function heading(body, told, isRunning) {
  if (!told) return isRunning ? "Begins…" : "Rules on bandits";
  const state = isRunning ? "" : told.isWhole ? html` <span class="thinking">done</span>` : html` <span class="thinking">stopped</span>`;
  return html`<span class="number">${count(told.pulls)}</span> of <span class="number">${count(body.pulls)}</span> pulls${state}`;
}

/** Both regrets, and the table of their last values. @param {{told: Told | null, rules: string[], budget: number, isLog: boolean}} props */
function Curves({ told, rules, budget, isLog }) {
  const series = (/** @type {"simple" | "cumulative"} */ kind) =>
    rules.map((name, rule) => ({
      name,
      points: (told?.points ?? []).map(({ pulls, regrets }) => {
        const { value, interval } = regrets[rule][kind];
        return { x: pulls, y: value, low: interval?.low, high: interval?.high };
      }),
    }));
  const last = told?.points.at(-1);
  const cell = (/** @type {Regret | undefined} */ regret, /** @type {number} */ digits) =>
    regret ? html`${regret.value.toFixed(digits)}${regret.interval && html` <small>± ${(regret.interval.high - regret.value).toFixed(digits)}</small>`}` : html`<small>-</small>`;
  return html`<div class="plots">
      <${Plot} title="Simple regret, of the arm recommended now" series=${series("simple")} xMost=${budget} xName="pulls" isLog=${isLog} />
      <${Plot} title="Cumulative regret, of all pulls" series=${series("cumulative")} xMost=${budget} xName="pulls" isLog=${isLog} />
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label="Regrets"><table class="regrets"><caption>Regrets${last ? html` after <span class="number">${count(last.pulls)}</span> pulls` : ""}, with intervals of 95% over the repeats</caption>
      <thead><tr><th scope="col">rule</th><th scope="col" class="right">simple</th><th scope="col" class="right">cumulative</th></tr></thead>
      <tbody>${rules.map((name, rule) => html`<tr><th scope="row"><${SeriesSign} index=${rule} /> ${name}</th>
        <td class="right">${cell(last?.regrets[rule]?.simple, 4)}</td><td class="right">${cell(last?.regrets[rule]?.cumulative, 2)}</td></tr>`)}</tbody>
    </table></div>`;
}

/** The arms of the first bandit, as each rule knows them. @param {{told: Told}} props */
function Panels({ told }) {
  const order = told.means.map((_, arm) => arm).sort((a, b) => told.means[b] - told.means[a] || a - b);
  return html`<h2>${told.points.at(-1)?.regrets[0].simple.interval ? "The first of the bandits" : "The arms"}, best arm first</h2>
    <p class="legend"><svg class="key" viewBox="0 0 14 14" aria-hidden="true"><rect class="average" x="5.5" y="2" width="3" height="10" /></svg> average reward with its interval of 95%
      <svg class="key" viewBox="0 0 14 14" aria-hidden="true"><path class="truth" d="M7 1V13" /></svg> true mean
      <svg class="key" viewBox="0 0 14 14" aria-hidden="true"><path class="bound" d="M4 2H9V12H4" /></svg> upper bound that the rule compares</p>
    <div class="panels">${told.known.map((known, rule) => html`<${ArmsOf} name=${told.rules[rule]} rule=${rule} known=${known} means=${told.means} order=${order} />`)}</div>`;
}

/** @param {{name: string, rule: number, known: {arms: KnownArm[], recommended: number}, means: number[], order: number[]}} props */
function ArmsOf({ name, rule, known, means, order }) {
  const most = Math.max(1, ...known.arms.map((arm) => arm.pulls));
  // Bounds above 1 are common at first, so the scale has room for them.
  const row = (/** @type {number} */ arm) => {
    const found = known.arms[arm];
    return html`<tr class=${arm === known.recommended ? "best" : ""}>
      <th scope="row">${arm + 1}${arm === known.recommended ? html`<abbr title="recommended">✓</abbr>` : ""}</th>
      <td class="right">${means[arm].toFixed(2)}</td>
      <td class="bar-cell"><span class=${`pulls-bar series${rule}`} style=${{ width: `${(100 * found.pulls) / most}%` }}></span></td>
      <td class="right">${count(found.pulls)}</td>
      <td class="right">${found.pulls > 0 ? found.average.toFixed(3) : ""}</td>
      <td class="range-cell"><${Range} arm=${found} truth=${means[arm]} /></td>
      <td class="right">${found.bound === null ? "" : found.bound.toFixed(2)}</td></tr>`;
  };
  return html`<table class="arms known"><caption><${SeriesSign} index=${rule} /> ${name}</caption>
    <thead><tr><th scope="col">arm</th><th scope="col" class="right">mean</th><th scope="col"><span class="unseen">share of the pulls</span></th><th scope="col" class="right">pulls</th>
      <th scope="col" class="right">average</th><th scope="col">0 to 1.5</th><th scope="col" class="right">bound</th></tr></thead>
    <tbody>${order.slice(0, ARMS_SHOWN).map(row)}</tbody>
    ${order.length > ARMS_SHOWN && html`<tfoot><tr><td colspan="7">and ${order.length - ARMS_SHOWN} more arms</td></tr></tfoot>`}</table>`;
}

/** The end of the scale of an arm. */
const SCALE = 1.5;

/** @param {{arm: KnownArm, truth: number}} props */
function Range({ arm, truth }) {
  const x = (/** @type {number} */ value) => 2 + 96 * Math.max(0, Math.min(1, value / SCALE));
  const half = WIDE * (arm.error ?? 0);
  return html`<svg class="whisker known" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
    <line class="axis" x1="2" x2="98" y1="7" y2="7" /><line class="axis" x1=${x(1)} x2=${x(1)} y1="3" y2="11" />
    ${arm.pulls > 0 && html`<line class="range" x1=${x(arm.average - half)} x2=${x(arm.average + half)} y1="7" y2="7" />
      <rect class="average" x=${x(arm.average) - 1.2} y="2" width="2.4" height="10" />`}
    ${arm.bound !== null && html`<path class="bound" d=${`M${x(arm.bound) - 3} 2H${x(arm.bound)}V12H${x(arm.bound) - 3}`} />`}
    <path class="truth" d=${`M${x(truth)} 1V13`} />
  </svg>`;
}

/** The fields. @param {{given: Record<string, string>, isDrawn: boolean, change: (change: any) => void}} props */
function Setup({ given, isDrawn, change }) {
  const known = useRules();
  const field = (/** @type {string} */ key, /** @type {string} */ title, /** @type {string} */ note, /** @type {any} */ more = {}) => html`<label class="field"><span>${title}${note && html` <small>(${note})</small>`}</span>
    <input value=${given[key]} spellcheck="false" autocomplete="off" ...${more} onChange=${(/** @type {any} */ event) => change({ [key]: event.target.value.trim() || null })} /></label>`;
  const chosen = names(given.rules);
  const addRule = (/** @type {any} */ event) => {
    change({ rules: [...chosen, event.target.value].join(", ") });
    event.target.value = "";
  };
  const means = isDrawn ? given.means : "list";
  return html`<fieldset class="fields"><legend>Rules</legend>
      ${field("rules", "Rules", "at most 6, by commas")}
      <label class="field"><span>Add a rule</span><select value="" onChange=${addRule}><option value="" disabled>choose a rule</option>
        ${known.map((/** @type {any} */ rule) => html`<option value=${rule.name}>${rule.name}: ${rule.what}</option>`)}</select></label>
    </fieldset>
    <fieldset class="fields"><legend>Arms</legend>
      <label class="field"><span>Means</span><select value=${means} onChange=${(/** @type {any} */ event) => change({ means: event.target.value === "list" ? null : event.target.value })}>
        <option value="list">given</option>${Object.entries({ ...DRAWN, ...(isDrawn ? { [given.means]: DRAWN[given.means] ?? given.means } : {}) }).map(([value, title]) => html`<option value=${value}>${title}</option>`)}</select></label>
      ${isDrawn ? field("arms", "Number of arms", "2 to 100", { inputmode: "numeric" }) : field("means", "The means", "0 to 1, by commas; shuffled")}
      <label class="field"><span>Rewards</span><select value=${given.rewards} onChange=${(/** @type {any} */ event) => change({ rewards: event.target.value })}>
        ${Object.entries(REWARDS).map(([value, title]) => html`<option value=${value}>${title}</option>`)}</select></label>
    </fieldset>
    <fieldset class="fields three"><legend>Runs</legend>
      ${field("pulls", "Pulls", "", { inputmode: "numeric" })}
      ${field("repeats", "Repeats", "", { inputmode: "numeric" })}
      ${field("seed", "Seed", "", { inputmode: "numeric" })}
    </fieldset>
    <p class="told">All rules get the same bandits and the same rewards, and know the budget. <code>aji bandit</code> measures the same with more repeats.</p>`;
}

/** All rules, asked for once. */
function useRules() {
  const [known, setKnown] = useState(/** @type {any[]} */ ([]));
  useEffect(() => {
    ask("bandit/rules").then(setKnown, () => {});
  }, []);
  return known;
}

/** @type {import("./index.js").View} */
export const bandit = { word: "bandit", title: "Bandit lab", View };
