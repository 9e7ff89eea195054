// A sum of heaps: the order of its actions that incentive learning has reached, beside the temperatures.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { ask } from "../api.js";
import { count } from "../format.js";
import { Problem } from "./controls.js";
import { HeatMap } from "./heat_map.js";
import { useStudy } from "./study.js";
import { TextField } from "./sums_value.js";

/** The sum that is shown first. */
const HEAPS = "R3B5R7B2/B9R2B4R1/R1B1R6B8/B2R4B1R5";

/** Milliseconds to wait between two orders, by the name of the speed. @type {Record<string, number>} */
const SPEEDS = { slow: 300, normal: 60, "at once": 0 };

/** @typedef {{simulations: number, actions: {heap: number, counters: number, top_weight: number, temperature: {text: string, value: number}}[], matched: number, pairs: number, ties: number, differences: (number | null)[][]}} Learned */

/** @param {Learned | null} told @param {string} event @param {any} news */
const add = (told, event, news) => (event === "order" ? news : told);

/** @param {{params: import("../address.js").Params, to: (change: any, how?: any) => void, kinds: any}} props */
export function Order({ params, to, kinds }) {
  const heaps = params.heaps ?? HEAPS;
  const simulations = Math.floor(Number(params.simulations ?? 20_000)) || 0;
  const body = { heaps, c: Number(params.c ?? 15), seed: Math.max(0, Math.floor(Number(params.seed ?? 1)) || 0), simulations: Math.max(0, simulations) };
  const study = useStudy("sums/learn", body, add);
  const { told, isRunning } = study;
  const at = Math.max(0, Math.floor(Number(params.at) || 0));
  const done = told?.simulations ?? 0;
  const isWhole = done >= simulations;
  const hasRun = useRef(false);
  const key = JSON.stringify(body);
  useEffect(() => {
    if (at > 0 && done !== at && !isRunning) study.start({ simulations: at, after: at - 1 }, true);
  }, [key, at]);
  const start = () => {
    const isNew = !told || isWhole;
    to({ at: null }, { replace: true });
    hasRun.current = true;
    study.start({ after: isNew ? 0 : done, pace: SPEEDS[params.speed] ?? SPEEDS.normal }, isNew);
  };
  // The address says where a run has ended.
  useEffect(() => {
    if (isRunning || !hasRun.current) return;
    hasRun.current = false;
    if (done > 0) to({ at: done }, { replace: true });
  }, [isRunning]);
  const labels = told?.actions.map(({ heap, counters }) => `${heap}:${counters}`) ?? [];
  const notes = told?.actions.map(({ temperature }) => `(temperature ${temperature.text})`) ?? [];
  return html`<div class="view sums order">
    ${kinds}
    <section class="stage" aria-label="Pairwise differences">
      <h1 class="status" aria-live=${isRunning ? "off" : "polite"}>${told ? html`<span class="number">${count(done)}</span> simulations: <span class="number">${count(told.matched)}</span> of <span class="number">${count(told.pairs)}</span> pairs by temperature` : isRunning ? "Learns…" : "Incentive learning on a sum of heaps"}</h1>
      <div class="row buttons" role="group" aria-label="Run">
        ${isRunning ? html`<button type="button" class="primary" onClick=${study.stop}>Stop</button>` : html`<button type="button" class="primary" onClick=${start}>${told && !isWhole ? "Go on" : told ? "Again" : "Start"}</button>`}
      </div>
      ${told ? html`<${HeatMap} labels=${labels} notes=${notes} values=${told.differences} label=${`By how many points the action of the row is better than that of the column, after ${count(done)} simulations`} />`
        : html`<div class="empty">Start, and watch which action becomes better than which.<br />An action is a heap and its counters left: 2:3 is heap 2 with three counters.</div>`}
    </section>
    <section class="side" aria-label="The sum and its order">
      <${TextField} label="Heaps" note="separated by /, the top counter first" value=${heaps} set=${(/** @type {string} */ heaps) => to({ heaps, at: null }, { replace: true })} />
      <${Draw} choose=${(/** @type {string} */ heaps) => to({ heaps, at: null })} />
      <${Settings} params=${params} to=${to} />
      <${Problem} error=${study.error} />
      ${told && html`<${Learnt} told=${told} />`}
    </section>
  </div>`;
}

/** @param {{params: import("../address.js").Params, to: (change: any, how?: any) => void}} props */
function Settings({ params, to }) {
  const field = (/** @type {string} */ key, /** @type {string} */ title, /** @type {string} */ standard) => html`<label class="field"><span>${title}</span>
    <input inputmode="decimal" value=${params[key] ?? standard} onChange=${(/** @type {any} */ event) => to({ [key]: event.target.value.trim() || null, at: null })} /></label>`;
  return html`<div class="fields three">${field("simulations", "Simulations", "20000")} ${field("c", "c in points", "15")} ${field("seed", "Seed", "1")}
    <label class="field"><span>Speed</span><select value=${params.speed ?? "normal"} onChange=${(/** @type {any} */ event) => to({ speed: event.target.value }, { replace: true })}>
      ${Object.keys(SPEEDS).map((name) => html`<option value=${name}>${name}</option>`)}</select></label></div>`;
}

/** Draws heaps at random, as games of Heap-Go are. @param {{choose: (heaps: string) => void}} props */
function Draw({ choose }) {
  const [size, setSize] = useState({ heaps: "5", counters: "5" });
  const [error, setError] = useState(/** @type {string | null} */ (null));
  const draw = async () => {
    try {
      const game = `heap-go heaps=${size.heaps} counters=${size.counters} seed=${Math.floor(Math.random() * 1e9)}`;
      const shown = await ask("position", { body: { place: { game, moves: [] } } });
      setError(null);
      choose(shown.text.split(" ")[0]);
    } catch (error) {
      setError(/** @type {Error} */ (error).message);
    }
  };
  const field = (/** @type {"heaps" | "counters"} */ key, /** @type {string} */ title) => html`<label class="field"><span>${title}</span>
    <input class="tiny" inputmode="numeric" value=${size[key]} onChange=${(/** @type {any} */ event) => setSize({ ...size, [key]: event.target.value })} /></label>`;
  return html`<div class="row">${field("heaps", "Heaps")} ${field("counters", "Counters each")} <button type="button" onClick=${draw}>Draw at random</button></div>${error && html`<${Problem} error=${error} />`}`;
}

/** The learned order beside that of the temperatures. @param {{told: Learned}} props */
function Learnt({ told }) {
  const byHeat = told.actions.map((_, place) => place).sort((a, b) => told.actions[b].temperature.value - told.actions[a].temperature.value || a - b);
  const rank = new Map(byHeat.map((place, index) => [place, index + 1]));
  const hottest = Math.max(1e-9, ...told.actions.map(({ temperature }) => temperature.value));
  return html`<div class="scroll tall" tabindex="0" role="region" aria-label="The learned order"><table class="learnt"><caption>Learned order, the best first</caption>
    <thead><tr><th scope="col" class="right">place</th><th scope="col">action</th><th scope="col" class="right">top</th><th scope="col" class="right">temperature</th><th scope="col"><span class="unseen">temperature as a bar</span></th><th scope="col" class="right">by temp.</th></tr></thead>
    <tbody>${told.actions.map((action, place) => html`<tr><td class="right">${place + 1}</td><th scope="row">${action.heap}:${action.counters}</th><td class="right">${action.top_weight}</td>
      <td class="right">${action.temperature.text}</td><td class="bar-cell"><span class="pulls-bar" style=${{ width: `${Math.max(0, (100 * action.temperature.value) / hottest)}%` }}></span></td><td class="right">${rank.get(place)}</td></tr>`)}</tbody>
  </table></div>`;
}
