// Analyse: a search runs, and the page follows it.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { go, placeOf } from "../address.js";
import { Board } from "../boards/index.js";
import { bytes, count, short, state, worth } from "../format.js";
import { Arms, marksOf } from "../parts/arms.js";
import { AgentField, GamePicker, Problem, isSearch, useStrongest } from "../parts/controls.js";
import { Lines } from "../parts/lines.js";
import { Moves } from "../parts/moves.js";
import { usePosition } from "../parts/position.js";
import { Waiting, useReady } from "../parts/ready.js";
import { useSearch } from "../parts/search.js";

/** Lines that a search shows, unless the agent's name says otherwise. */
const LINES = 3;

/** Why a search stopped, for people. @type {Record<string, string>} */
const STOPPED = {
  simulations: "all simulations spent",
  time: "time spent",
  interrupted: "stopped",
  solved: "solved",
  enough: "more would hardly change the choice",
  resigned: "it resigns",
};

/** The agent with lines to show. @param {string} agent */
const withLines = (agent) => (isSearch(agent) && !/ lines=/.test(agent) ? `${agent} lines=${LINES}` : agent);

/** Without a budget: it runs until it is stopped. @param {string} agent */
const endless = (agent) => agent.replace(/ (simulations|time)=\S+/g, "");

/** @param {{params: import("../address.js").Params}} props */
function View({ params }) {
  const whole = placeOf(params);
  const at = Math.min(params.at === undefined ? whole.moves.length : Number(params.at) || 0, whole.moves.length);
  const place = { ...whole, moves: whole.moves.slice(0, at), resigned: false };
  const strongest = endless(useStrongest(whole.game));
  const agent = params.agent || strongest;
  const first = useSearch(place, withLines(agent));
  const second = useSearch(place, withLines(params.with ?? "uct"));
  const [walk, setWalk] = useState(/** @type {import("../parts/lines.js").Walk | null} */ (null));
  const [pointed, setPointed] = useState(/** @type {string | null} */ (null));
  const placeKey = JSON.stringify(place);
  useEffect(() => (setWalk(null), setPointed(null)), [placeKey]);
  const ghost = walk ? walk.line.slice(0, walk.step) : [];
  const game = usePosition({ ...whole, resigned: false }, null);
  const { shown, error, isCurrent } = usePosition({ ...place, moves: [...place.moves, ...ghost] }, null);
  const to = (/** @type {any} */ change, /** @type {any} */ how = {}) => go("analyse", { ...params, game: whole.game, ...change }, how);
  const isHidden = params.hide === "1";
  const found = first.told?.found;
  const isSecond = Boolean(params.with) && params.marks === "second";
  const marking = (isSecond ? second : first).told?.found;
  const marks = marking && !isHidden && !walk && isCurrent ? marksOf(marking) : null;
  const act = isCurrent && shown.turn !== "over" ? (/** @type {string} */ action) => to({ moves: [...place.moves, ...ghost, action].join(" "), at: null }) : null;
  const isRunning = first.isRunning || second.isRunning;
  const start = () => (first.start(), params.with && second.start());
  const stop = () => (first.stop(), second.stop());
  const goTo = (/** @type {number} */ ply) => to({ at: ply === whole.moves.length ? null : ply, moves: whole.moves.join(" ") });
  if (!useReady((shown || error) && (game.shown || game.error) && strongest)) return html`<${Waiting} />`;
  return html`<div class=${`view analyse ${params.with ? "compared" : ""}`}>
    <section class="stage" aria-label="Position">
      <h1 class="status" aria-live="polite">${shown ? state(shown) : "…"}${walk && html` <span class="thinking">after ${ghost.join(" ")}</span>`}</h1>
      <div class=${walk ? "ghostly" : ""}>${shown && html`<${Board} shown=${shown} act=${act} marks=${marks} hint=${pointed} />`}</div>
      <${Problem} error=${error} />
      <div class="row buttons">
        <button type="button" class="primary" onClick=${isRunning ? stop : start} disabled=${!agent || !isCurrent || (!isRunning && shown.turn !== "player")}>
          ${isRunning ? "Stop" : found ? "Go on" : "Start"}</button>
        <button type="button" aria-pressed=${String(isHidden)} onClick=${() => to({ hide: isHidden ? null : "1" }, { replace: true })}>${isHidden ? "Show hints" : "Hide hints"}</button>
        <button type="button" onClick=${() => goTo(at - 1)} disabled=${at === 0}>Back</button>
        <button type="button" onClick=${() => goTo(at + 1)} disabled=${at >= whole.moves.length}>Forward</button>
      </div>
      ${params.with && html`<label class="field marks-of"><span>The board shows the numbers of</span>
        <select value=${isSecond ? "second" : "first"} onChange=${(/** @type {any} */ event) => to({ marks: event.target.value === "second" ? "second" : null }, { replace: true })}>
          <option value="first">${agent}</option><option value="second">${params.with}</option></select></label>`}
      ${whole.moves.length > 0 && html`<label class="field"><span>Position after move <b class="number">${at}</b> of ${whole.moves.length}</span>
        <input type="range" min="0" max=${whole.moves.length} value=${at} onInput=${(/** @type {any} */ event) => goTo(Number(event.target.value))} /></label>`}
    </section>
    <section class="side" aria-label="Search">
      <div class="panels"><${Panel} search=${first} agent=${agent} label="Agent" isHidden=${isHidden} choose=${(/** @type {string} */ agent) => to({ agent })}
        walk=${walk} setWalk=${setWalk} setPointed=${setPointed} play=${act} />
      ${params.with
        ? html`<${Panel} search=${second} agent=${params.with} label="Compared with" isHidden=${isHidden} choose=${(/** @type {string} */ name) => to({ with: name })}
            walk=${walk} setWalk=${setWalk} setPointed=${setPointed} play=${act} />`
        : null}</div>
      ${params.with
        ? html`<button type="button" onClick=${() => (second.stop(), to({ with: null, marks: null }))}>Compare no longer</button>`
        : html`<button type="button" onClick=${() => to({ with: agent.startsWith("uct") ? "rave" : "uct" })}>Compare with another agent</button>`}
      <hr />
      <${GamePicker} game=${whole.game} choose=${(/** @type {string} */ game) => to({ game, moves: null, at: null, start: null, agent: null, with: null, marks: null })} />
      ${game.shown && html`<${Moves} moves=${game.shown.moves} at=${at} go=${goTo} set=${(/** @type {string[]} */ moves) => to({ moves: moves.join(" "), at: null })} />`}
      <${Problem} error=${game.error !== error ? game.error : null} />
    </section>
  </div>`;
}

/** An agent and what it has found. */
function Panel({ search, agent, label, choose, isHidden, walk, setWalk, setPointed, play }) {
  const found = search.told?.found;
  return html`<div class="panel">
    <${AgentField} label=${label} agent=${agent} choose=${choose} />
    <p class="told number" data-running=${String(search.isRunning)}>${found ? summary(found, search) : search.isRunning ? "the search begins" : "Start lets the agent search until it is stopped."}</p>
    <${Problem} error=${search.error} />
    ${found && !isHidden && html`<${Arms} found=${found} point=${setPointed} choose=${play} /><${Lines} found=${found} agent=${agent} walk=${walk} go=${setWalk} />`}
    ${found && isHidden && html`<p class="told">The hints are hidden.</p>`}
  </div>`;
}

/** One line on the whole search. @param {any} found @param {any} search */
function summary(found, search) {
  const rate = found.seconds > 0 ? found.simulations / found.seconds : 0;
  const parts = [
    `${count(found.simulations)} simulations`,
    `${short(Math.round(rate))}/s`,
    found.bytes > 0 ? `tree ${bytes(found.bytes)}` : "",
    found.best ? `${found.best} is best${worth(found) && `, worth ${worth(found)}`}` : "",
    found.proven !== undefined ? "proven" : "",
    search.isRunning ? "" : STOPPED[found.stopped] ?? found.stopped,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** @type {import("./index.js").View} */
export const analyse = { word: "analyse", title: "Analyse", View };
