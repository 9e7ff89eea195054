// Lab: matches, tournaments and tunings, watched while they are played, and the reports of papers.

import { html, useState } from "../vendor/htm-preact.js";
import { ask } from "../api.js";
import { go, toHash } from "../address.js";
import { count } from "../format.js";
import { runPath, useContest } from "../parts/contest.js";
import { MatchCharts, MatchFacts, TournamentTables, TuningCurve } from "../parts/contest_charts.js";
import { ContestForm, KINDS } from "../parts/contest_form.js";
import { Games, Replay } from "../parts/contest_games.js";
import { Contests, Reports, useLab } from "../parts/contest_list.js";
import { Problem } from "../parts/controls.js";
import { Waiting, useReady } from "../parts/ready.js";

/** @param {{params: import("../address.js").Params}} props */
function View({ params }) {
  return params.run ? html`<${Contest} key=${params.run} name=${params.run} params=${params} />` : html`<${Overview} params=${params} />`;
}

/** All contests, all reports, and the form of a new contest. @param {{params: import("../address.js").Params}} props */
function Overview({ params }) {
  const { lab, error } = useLab();
  if (!useReady(lab || error)) return html`<${Waiting} />`;
  return html`<div class="view lab">
    <section class="stage" aria-label="Contests and reports">
      <h1 class="status">Contests between agents</h1>
      <${Contests} lab=${lab} error=${error} />
      <${Reports} lab=${lab} />
    </section>
    <section class="side" aria-label="A new contest"><h2>A new contest</h2><${ContestForm} params=${params} /></section>
  </div>`;
}

/** One contest. @param {{name: string, params: import("../address.js").Params}} props */
function Contest({ name, params }) {
  const { told, error, again } = useContest(name);
  const to = (/** @type {any} */ change, /** @type {any} */ how = {}) => go("lab", { ...params, ...change }, how);
  if (!useReady(told || error)) return html`<${Waiting} />`;
  return html`<div class="view lab">
    <section class="stage" aria-label="Result">
      <h1 class="status" aria-live=${told?.state === "running" ? "off" : "polite"}>${heading(told, name)}</h1>
      <${Controls} told=${told} name=${name} again=${again} />
      <${Problem} error=${error ?? told?.error} />
      ${told && html`<progress max=${told.planned_games} value=${told.games} aria-label="Games played"></progress><${Result} told=${told} />`}
    </section>
    <section class="side" aria-label="Games and replay">
      ${params.g && html`<${Replay} name=${name} word=${params.g} params=${params} to=${to} />`}
      ${told && html`<${Games} told=${told} params=${params} to=${to} /><p class="told">${origin(told)}</p>`}
    </section>
  </div>`;
}

/** @param {import("../parts/contest.js").Told | null} told @param {string} name */
function heading(told, name) {
  if (!told) return name;
  const note = told.state === "finished" && told.games < told.planned_games ? "finished: the test has decided" : told.state;
  return html`${KINDS[told.kind][0]} of ${told.plan.game}: <span class="number">${count(told.games)}</span> of <span class="number">${count(told.planned_games)}</span> games <span class="thinking">${note}</span>`;
}

/** Stops the contest, or goes on with it. @param {{told: import("../parts/contest.js").Told | null, name: string, again: () => void}} props */
function Controls({ told, name, again }) {
  const [error, setError] = useState(/** @type {string | null} */ (null));
  const act = (/** @type {string} */ what) => ask(`${runPath(name)}/${what}`, { body: {} }).then(() => (setError(null), what === "go-on" && again()), (error) => setError(error.message));
  return html`<div class="row buttons">
      ${told?.state === "running" && html`<button type="button" class="primary" onClick=${() => act("stop")}>Stop</button>`}
      ${told?.state === "stopped" && html`<button type="button" class="primary" onClick=${() => act("go-on")}>Go on</button>`}
      <a class="button" href=${toHash("lab", {})}>All contests</a>
    </div>
    <${Problem} error=${error} />`;
}

/** @param {{told: import("../parts/contest.js").Told}} props */
function Result({ told }) {
  if (told.kind === "tournament") return html`<${TournamentTables} told=${told} />`;
  if (told.kind === "tuning") return html`<${TuningCurve} told=${told} />`;
  return html`<${MatchCharts} told=${told} /><${MatchFacts} told=${told} />`;
}

/** How the journal can be had by the command line. @param {import("../parts/contest.js").Told} told */
function origin(told) {
  const { plan, seed } = told;
  const clock = plan.repeatable === false ? " An agent plays by the clock, so the same seed may give other games." : "";
  return `Seed ${seed}, ${plan.opening_plies} random plies at the start of each round.${clock} The journal ${told.name}.jsonl has every finished round of games; a kill loses only the rounds that were being played.`;
}

/** @type {import("./index.js").View} */
export const lab = { word: "lab", title: "Lab", View };
