// The charts and tables of a contest: a match's score and test, a tournament's ratings, a tuning's curve.

import { html } from "../vendor/htm-preact.js";
import { count } from "../format.js";
import { Plot } from "./plot.js";

/** Elo beyond this is not drawn. */
const ELO_MOST = 800;

/** The part of the course whose intervals the axis of Elo shows whole; before it they are too wide. */
const SETTLED = 0.2;

/** A difference in Elo with its sign; endless ones come as null. @param {number | null} elo @param {number} [sign] */
export const eloText = (elo, sign = 1) => (elo === null ? (sign > 0 ? "+∞" : "−∞") : `${elo < 0 ? "−" : "+"}${Math.abs(elo).toFixed(0)}`);

/** Elo to draw: an end that is missing is endless. @param {number | null} elo @param {number} sign */
const drawn = (elo, sign) => (elo === null ? sign * 1e9 : elo);

/** The end of the axis of games: the planned games, or less where a test may end the match early. @param {import("./contest.js").Told} told */
function gamesMost(told) {
  if (told.state === "finished") return Math.max(2, told.games);
  if (!told.test) return told.planned_games;
  let most = 50;
  while (most < told.games) most *= 2;
  return Math.min(most, told.planned_games);
}

/** @param {{told: import("./contest.js").Told}} props */
export function MatchCharts({ told }) {
  const xMost = gamesMost(told);
  const scores = told.points.map(({ games, score, interval }) => ({ x: games, y: score, low: interval.low ?? 0, high: interval.high ?? 1 }));
  const elos = told.points.map(({ games, score, elo, elo_interval: { low, high } }) => ({ x: games, y: drawn(elo, score < 0.5 ? -1 : 1), low: drawn(low, -1), high: drawn(high, 1) }));
  return html`<div class="plots">
    <${Plot} title="Score of a" series=${[{ name: "score", points: scores }]} xMost=${xMost} xName="games" range=${[0, 1]} marks=${[{ y: 0.5, name: "equal" }]} />
    <${Plot} title="Elo of a above b" series=${[{ name: "Elo", points: elos }]} xMost=${xMost} xName="games" range=${eloRange(elos)} marks=${[{ y: 0, name: "equal" }]} digits=${0} />
    ${told.test && html`<${TestPlot} told=${told} test=${told.test} xMost=${xMost} />`}
  </div>`;
}

/** @param {{told: import("./contest.js").Told, test: any, xMost: number}} props */
function TestPlot({ told, test, xMost }) {
  const points = told.points.map(({ games, log_likelihood_ratio: ratio }) => ({ x: games, y: ratio ?? 0 }));
  const [low, high] = test.hypotheses;
  const room = 1.15 * Math.max(-test.bounds.low, test.bounds.high);
  return html`<${Plot} title="Sequential test: log-likelihood ratio" series=${[{ name: "ratio", points: [{ x: 0, y: 0 }, ...points] }]} xMost=${xMost} xName="games" range=${[-room, room]}
    marks=${[{ y: test.bounds.high, name: `accept ${eloText(high)} Elo` }, { y: test.bounds.low, name: `accept ${eloText(low)} Elo` }]} digits=${2} />`;
}

/** An axis that shows the later intervals whole. @param {{x: number, y: number, low: number, high: number}[]} points @returns {[number, number]} */
function eloRange(points) {
  const last = points.at(-1)?.x ?? 0;
  const ends = points.filter(({ x }) => x >= SETTLED * last).flatMap(({ low, high, y }) => [low, high, y]).filter((elo) => Math.abs(elo) < ELO_MOST);
  const reach = (/** @type {number} */ elo) => Math.ceil((Math.abs(elo) + 20) / 100) * 100;
  return [-reach(Math.min(0, ...ends)), reach(Math.max(0, ...ends))];
}

/** The numbers of a match. @param {{told: import("./contest.js").Told}} props */
export function MatchFacts({ told }) {
  const { result, test, plan } = told;
  const verdicts = /** @type {Record<string, string>} */ ({ "accept-h0": `it is decided: ${eloText(test?.hypotheses[0] ?? 0)} Elo`, "accept-h1": `it is decided: ${eloText(test?.hypotheses[1] ?? 0)} Elo`, undecided: "undecided so far" });
  const fact = (/** @type {string} */ name, /** @type {any} */ value) => html`<div><dt>${name}</dt><dd class="number">${value}</dd></div>`;
  return html`<dl class="facts">
    ${fact("agent a", plan.agents[0])}${fact("agent b", plan.agents[1])}
    ${result && html`${fact("a wins, draws, b wins", `${count(result.a_wins)} · ${count(result.draws)} · ${count(result.b_wins)}`)}
      ${fact("score of a", html`${result.score.toFixed(3)} <small>95%: ${result.low.toFixed(3)} to ${result.high.toFixed(3)}</small>`)}
      ${fact("Elo of a", html`${eloText(result.elo, result.score < 0.5 ? -1 : 1)} <small>95%: ${eloText(result.elo_low, -1)} to ${eloText(result.elo_high)}</small>`)}
      ${test?.decision && fact("test", html`ratio ${test.decision.log_likelihood_ratio.toFixed(2)} <small>${verdicts[test.decision.verdict]}</small>`)}
      ${fact("simulations a move", html`${count(Math.round(result.simulations[0]))} <small>of a</small> · ${count(Math.round(result.simulations[1]))} <small>of b</small>`)}
      ${fact("plies a game", result.plies.toFixed(1))}${fact("same games", count(result.duplicates))}`}
  </dl>`;
}

/** Ratings, and who beat whom. @param {{told: import("./contest.js").Told}} props */
export function TournamentTables({ told }) {
  const ratings = /** @type {any[]} */ (told.result?.ratings ?? []);
  const meetings = /** @type {any[]} */ (told.result?.meetings ?? []);
  if (ratings.length === 0) return html`<div class="empty"><p>The table comes with the first games.</p></div>`;
  const most = Math.max(50, ...ratings.flatMap(({ elo_low: low, elo_high: high }) => [low, high]).filter((elo) => elo !== null).map(Math.abs));
  const x = (/** @type {number} */ elo) => 50 + (48 * Math.max(-most, Math.min(most, elo))) / most;
  const rating = (/** @type {any} */ { agent, elo, elo_low: low, elo_high: high, points, games }, /** @type {number} */ index) => html`<tr><th scope="row" class="agent-name">${index + 1}. ${agent}</th>
    <td class="right">${eloText(elo)}</td>
    <td class="range-cell"><svg class="whisker" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true"><line class="axis" x1="2" x2="98" y1="7" y2="7" /><line class="axis" x1="50" x2="50" y1="2" y2="12" />
      <line class="range" x1=${x(low ?? -most)} x2=${x(high ?? most)} y1="7" y2="7" /><rect x=${x(elo) - 1} y="2" width="2" height="10" /></svg></td>
    <td class="right">${eloText(low, -1)} to ${eloText(high)}</td><td class="right">${points.toFixed(1)}</td><td class="right">${count(games)}</td></tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Ratings"><table class="ratings"><caption>Ratings, in Elo above the mean of all</caption>
      <thead><tr><th scope="col">agent</th><th scope="col" class="right">Elo</th><th scope="col"><span class="unseen">interval, drawn</span></th><th scope="col" class="right">95%</th><th scope="col" class="right">points</th><th scope="col" class="right">games</th></tr></thead>
      <tbody>${ratings.map(rating)}</tbody></table></div>
    <${CrossTable} ratings=${ratings} meetings=${meetings} />`;
}

/** Who beat whom: blue where the row has more points, orange where it has fewer. @param {{ratings: any[], meetings: any[]}} props */
function CrossTable({ ratings, meetings }) {
  const cell = (/** @type {string} */ row, /** @type {string} */ column) => {
    if (row === column) return html`<td class="same" aria-label="itself"></td>`;
    const own = meetings.find(({ a, b }) => a === row && b === column);
    const other = meetings.find(({ a, b }) => a === column && b === row);
    const met = own ?? other;
    if (!met) return html`<td class="right">-</td>`;
    const score = own ? own.score : 1 - other.score;
    const shade = Math.round(Math.abs(score - 0.5) * 90);
    return html`<td class="right score" style=${{ background: `color-mix(in srgb, var(--${score >= 0.5 ? "p0" : "p1"}) ${shade}%, transparent)` }}
      title=${`${row} against ${column}: ${(score * met.games).toFixed(1)} of ${met.games} points`}>${(score * met.games).toFixed(1)} <small>/ ${met.games}</small></td>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Cross table"><table class="cross"><caption>Points of the row against the column</caption>
    <thead><tr><th scope="col">agent</th>${ratings.map((_, index) => html`<th scope="col" class="right">${index + 1}</th>`)}</tr></thead>
    <tbody>${ratings.map(({ agent }, index) => html`<tr><th scope="row" class="agent-name">${index + 1}. ${agent}</th>${ratings.map((other) => cell(agent, other.agent))}</tr>`)}</tbody></table></div>`;
}

/** The scores of all values of an option. @param {{told: import("./contest.js").Told}} props */
export function TuningCurve({ told }) {
  const { result, plan } = told;
  const labels = plan.values ?? [];
  const values = /** @type {any[]} */ (result?.values ?? []);
  const among = new Set(/** @type {any[]} */ (result?.best_among ?? []).map(String));
  const places = values.map(({ value }, index) => (among.has(String(value)) ? index : -1)).filter((index) => index >= 0);
  const isSmooth = values.length > 0 && values[0].smoothed !== null;
  const every = Math.ceil(labels.length / 10);
  const ticks = labels.map((text, x) => ({ x, text })).filter(({ x }) => x % every === 0);
  const scores = values.flatMap(({ low, high }) => [low, high]);
  const range = /** @type {[number, number]} */ (scores.length > 0 ? [Math.min(0.4, ...scores.map((low) => Math.floor(low * 10) / 10)), Math.max(0.6, ...scores.map((high) => Math.ceil(high * 10) / 10))] : [0, 1]);
  return html`<${Plot} title=${`Score of each value of ${plan.option} against ${plan.agents.at(-1)}`} xName=${plan.option ?? ""} xLeast=${-0.5} xMost=${labels.length - 0.5} ticks=${ticks} range=${range}
      marks=${[{ y: 0.5, name: "equal" }]} series=${isSmooth ? [{ name: "smoothed", points: values.map(({ smoothed }, x) => ({ x, y: smoothed })) }] : []}
      dots=${values.map(({ score, low, high }, x) => ({ x, y: score, low, high }))} strip=${places.length > 0 && isSmooth ? [Math.min(...places) - 0.5, Math.max(...places) + 0.5] : null} />
    ${result ? html`<p class="told">Best: <b>${plan.option}=${result.best}</b>. ${among.size === labels.length ? "With so few games any value may be the best." : `At 95% the best is ${[...among].join(" or ")}.`}</p>` : html`<p class="told">The curve comes when every value has games.</p>`}
    ${values.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Values"><table><thead><tr><th scope="col">value</th><th scope="col" class="right">score</th><th scope="col" class="right">95%</th>
      ${isSmooth && html`<th scope="col" class="right">smoothed</th>`}<th scope="col" class="right">Elo</th><th scope="col" class="right">games</th></tr></thead>
      <tbody>${values.map((one) => html`<tr class=${one.value === result.best ? "best" : ""}><th scope="row">${plan.option}=${one.value}</th><td class="right">${one.score.toFixed(3)}</td>
        <td class="right">${one.low.toFixed(3)} to ${one.high.toFixed(3)}</td>${isSmooth && html`<td class="right">${one.smoothed.toFixed(3)}</td>`}
        <td class="right">${eloText(one.elo, one.score < 0.5 ? -1 : 1)}</td><td class="right">${count(one.games)}</td></tr>`)}</tbody></table></div>`}`;
}
