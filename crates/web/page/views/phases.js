// Four phases: one simulation at a time, edge by edge: select, expand, simulate, back up.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { ask } from "../api.js";
import { go, placeOf } from "../address.js";
import { Board } from "../boards/index.js";
import { count } from "../format.js";
import { AgentField, GamePicker, Problem, Typed } from "../parts/controls.js";
import { Formula, ToldArms, worthOf } from "../parts/formula.js";
import { usePosition } from "../parts/position.js";
import { Waiting, useReady } from "../parts/ready.js";
import { EXAMPLES } from "../parts/examples.js";
import { Lecture } from "../parts/lecture.js";

/** Simulations that are asked for at a time. */
const WINDOW = 20;

/** Milliseconds from one frame to the next, by the name of the speed. @type {Record<string, number>} */
const SPEEDS = { slow: 2000, normal: 900, fast: 250 };

/** Moves of a playout come so much faster than other frames. */
const PLAYOUT_FASTER = 3;

/** The phases with their names. @type {Record<string, string>} */
const PHASES = { select: "Select", expand: "Expand", simulate: "Simulate", backup: "Back up" };

/** @param {{params: import("../address.js").Params}} props */
function View({ params }) {
  return params.lecture ? html`<${Lecture} params=${params} examples=${html`<${Examples} />`} />` : html`<${Simulations} params=${params} />`;
}

/** Chooses an example. */
function Examples() {
  return html`<label class="field"><span>Examples</span>
    <select value="" onChange=${(/** @type {any} */ event) => go("phases", EXAMPLES[Number(event.target.value)].params)}>
      <option value="" disabled>choose an example</option>
      ${EXAMPLES.map((example, index) => html`<option value=${index}>${example.title}</option>`)}
    </select></label>`;
}

/** @param {{params: import("../address.js").Params}} props */
function Simulations({ params }) {
  const place = { ...placeOf(params), game: params.game || "tic-tac-toe", resigned: false };
  const agent = params.agent || "uct";
  const number = Math.max(1, Math.floor(Number(params.n) || 1));
  const { told, error } = useExplained(place, agent, number);
  const simulation = told?.simulations.find((/** @type {any} */ one) => one.number === number) ?? null;
  const frames = simulation ? framesOf(simulation) : [];
  const step = Math.min(Math.max(0, Number(params.step) || 0), Math.max(0, frames.length - 1));
  const frame = frames[step];
  const isFirst = number === 1 && step === 0;
  const to = (/** @type {any} */ change) => go("phases", { ...params, game: place.game, ...change }, { replace: true });
  const [last, setLast] = useState(/** @type {Record<number, number>} */ ({}));
  useEffect(() => {
    if (frames.length > 0) setLast((last) => ({ ...last, [number]: frames.length - 1 }));
  }, [frames.length, number]);
  const forward = () => (step + 1 < frames.length ? to({ step: step + 1 }) : to({ n: number + 1, step: null }));
  const back = () => (step > 0 ? to({ step: step - 1 }) : to({ n: number - 1, step: last[number - 1] ?? null }));
  const [speed, setSpeed] = useState("normal");
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying || !frame) return;
    const timer = setTimeout(forward, SPEEDS[speed] / (frame.moves ? PLAYOUT_FASTER : 1));
    return () => clearTimeout(timer);
  }, [isPlaying, speed, number, step, frame === undefined]);
  useEffect(() => setPlaying(false), [error]);
  // A search that has proven its root, or expects nothing of going on, has fewer simulations.
  const hasEnded = told !== null && told.simulations.length < WINDOW && !(number <= told.simulations.at(-1)?.number);
  const path = simulation?.path.map((/** @type {any} */ choice) => choice.action) ?? [];
  const shownMoves = frame ? movesOf(frame, path, simulation) : [];
  const { shown, error: shownError } = usePosition({ ...place, moves: [...place.moves, ...shownMoves] }, null);
  if (!useReady((shown || shownError) && (told || error))) return html`<${Waiting} />`;
  return html`<div class="view phases">
    <section class="stage" aria-label="Position">
      <h1 class="status" aria-live="polite">Simulation <span class="number">${count(number)}</span>${frame && html`: ${PHASES[frame.phase].toLowerCase()}`}</h1>
      <${PhaseBar} frames=${frames} frame=${frame} to=${(/** @type {number} */ step) => to({ step })} />
      <${Path} simulation=${simulation} frame=${frame} />
      <div class=${frame?.moves ? "ghostly" : ""}>${shown && html`<${Board} shown=${shown} act=${null} hint=${frame?.phase === "select" ? simulation.path[frame.index].action : null} />`}</div>
      <div class="row buttons" role="group" aria-label="Steps">
        <button type="button" onClick=${() => to({ n: number - 1, step: null })} disabled=${number === 1} aria-label="Simulation before">«</button>
        <button type="button" onClick=${back} disabled=${isFirst}>Back</button>
        <button type="button" class="primary" onClick=${() => setPlaying(!isPlaying)} disabled=${!frame}>${isPlaying ? "Pause" : "Play"}</button>
        <button type="button" onClick=${forward} disabled=${!frame}>Forward</button>
        <button type="button" onClick=${() => to({ n: number + 1, step: null })} disabled=${!simulation} aria-label="Simulation after">»</button>
      </div>
      <div class="row">
        <label class="field grow"><span>Step <b class="number">${step + 1}</b> of ${Math.max(1, frames.length)}</span>
          <input type="range" min="0" max=${Math.max(0, frames.length - 1)} value=${step} onInput=${(/** @type {any} */ event) => to({ step: event.target.value })} /></label>
        <label class="field"><span>Simulation</span>
          <${Typed} class="short" type="number" min="1" max="1000000" value=${number} set=${(/** @type {string} */ n) => to({ n, step: null })} /></label>
        <label class="field"><span>Speed</span>
          <select value=${speed} onChange=${(/** @type {any} */ event) => setSpeed(event.target.value)}>${Object.keys(SPEEDS).map((name) => html`<option value=${name}>${name}</option>`)}</select></label>
      </div>
      <${Problem} error=${error} />
    </section>
    <section class="side" aria-label="What happens">
      <div class="happening" tabindex="0" role="group" aria-label="The step in numbers">${frame && html`<${Told} frame=${frame} simulation=${simulation} players=${shown?.players ?? []} walk=${(/** @type {number} */ moves) => to({ step: frames.findIndex((frame) => frame.moves === moves) })} />`}${hasEnded && html`<p>The search has ended before this simulation: the value of the position is proven, or the rule expects nothing of going on.</p>`}</div>
      <hr />
      <${Examples} />
      <${AgentField} label="Agent" agent=${agent} choose=${(/** @type {string} */ agent) => to({ agent, n: null, step: null })} />
      <${GamePicker} game=${place.game} choose=${(/** @type {string} */ game) => to({ game, moves: null, start: null, n: null, step: null })} />
    </section>
  </div>`;
}

/** The explained simulations around a number, which the server is asked for once. */
function useExplained(place, agent, number) {
  const known = useRef(/** @type {Map<string, any>} */ (new Map()));
  const [state, setState] = useState(/** @type {{told: any, error: string | null}} */ ({ told: null, error: null }));
  const skip = Math.floor((number - 1) / WINDOW) * WINDOW;
  const key = JSON.stringify([place, agent, skip]);
  useEffect(() => {
    const here = known.current.get(key);
    if (here) return setState({ told: here, error: null });
    const leave = new AbortController();
    ask("explain", { body: { place, agent, skip, steps: WINDOW }, signal: leave.signal }).then(
      (told) => {
        known.current.set(key, told);
        setState({ told, error: null });
      },
      (error) => leave.signal.aborted || setState({ told: null, error: error.message }),
    );
    return () => leave.abort();
  }, [key]);
  return state;
}

/** Whether the leaf was expanded: its first action is then the last of the path. @param {any} simulation */
const isOpened = (simulation) => simulation.expansion === "opened" && !simulation.by_network;

/**
 * A step of a simulation.
 * @typedef {object} Frame
 * @property {string} phase
 * @property {number} index the choice of the path, or the path's length below it
 * @property {number} [moves] how many moves of the playout are played
 */

/**
 * The frames of a simulation: each choice, the expansion, the playout move by move, and each edge that is backed up.
 * @param {any} simulation
 * @returns {Frame[]}
 */
function framesOf(simulation) {
  const { path } = simulation;
  const selected = path.length - (isOpened(simulation) ? 1 : 0);
  const select = Array.from({ length: selected }, (_, index) => ({ phase: "select", index }));
  const backup = Array.from({ length: path.length }, (_, index) => ({ phase: "backup", index: path.length - 1 - index }));
  const index = path.length;
  const simulate = Array.from({ length: 1 + (simulation.playout?.length ?? 0) }, (_, moves) => ({ phase: "simulate", index, moves }));
  return [...select, { phase: "expand", index }, ...simulate, ...backup];
}

/** The phases, each a button that goes to its first step. @param {{frames: Frame[], frame: Frame | undefined, to: (step: number) => void}} props */
function PhaseBar({ frames, frame, to }) {
  const item = (/** @type {[string, string]} */ [phase, name]) => {
    const first = frames.findIndex((frame) => frame.phase === phase);
    return html`<li><button type="button" disabled=${first < 0} aria-current=${frame?.phase === phase ? "step" : null} onClick=${() => to(first)}>${name}</button></li>`;
  };
  return html`<ol class="phase-bar" aria-label="Phases">${Object.entries(PHASES).map(item)}</ol>`;
}

/** The moves that the board shows in a frame. @param {Frame} frame @param {string[]} path @param {any} simulation */
function movesOf(frame, path, simulation) {
  if (frame.phase === "select") return path.slice(0, frame.index);
  if (frame.phase === "simulate") return [...path, ...(simulation.playout ?? []).slice(0, frame.moves)];
  return frame.phase === "backup" ? path.slice(0, frame.index + 1) : path;
}

/** The way down as a row. @param {{simulation: any, frame: any}} props */
function Path({ simulation, frame }) {
  if (!simulation) return html`<ol class="path" aria-label="The way down"></ol>`;
  const reached = frame.phase === "select" ? frame.index + 1 : simulation.path.length;
  const edge = (/** @type {any} */ choice, /** @type {number} */ index) => {
    const isHere = frame.index === index && ["select", "backup"].includes(frame.phase);
    const kind = ["edge-chip", index < reached && "reached", frame.phase === "backup" && index >= frame.index && "learned"].filter(Boolean).join(" ");
    return html`<li class=${kind} aria-current=${isHere ? "step" : null}>${choice.action}<small class="number">${choice.player}</small></li>`;
  };
  return html`<ol class="path" tabindex="0" aria-label="The way down">
    <li class="edge-chip reached">root</li>${simulation.path.map(edge)}
    ${simulation.playout && frame.phase === "simulate" && html`<li class="edge-chip playout">playout<small class="number">${frame.moves} of ${simulation.playout.length}</small></li>`}
  </ol>`;
}

/**
 * What happens in a frame, in words and numbers.
 * @param {{frame: Frame, simulation: any, players: string[], walk: (moves: number) => void}} props
 */
function Told({ frame, simulation, players, walk }) {
  if (frame.phase === "select") return html`<${Selected} choice=${simulation.path[frame.index]} />`;
  if (frame.phase === "expand") return html`<h2>Expand</h2><p>${expanded(simulation)}</p>`;
  if (frame.phase === "simulate") return html`<h2>Simulate</h2><${Playout} simulation=${simulation} players=${players} at=${frame.moves} walk=${walk} />`;
  return html`<h2>Back up</h2><p>${rewardsOf(simulation, players)}</p><${BackedUp} simulation=${simulation} from=${frame.index} />`;
}

/** @param {{choice: any}} props */
function Selected({ choice }) {
  const before = choice.arms[choice.chosen];
  const untried = choice.arms.filter((/** @type {any} */ arm) => arm.pulls === 0).length;
  if (choice.player === "chance") return html`<h2>Select</h2><p>Chance draws ${choice.action}, one of ${choice.arms.length} outcomes.</p>`;
  if (!choice.rule) return html`<h2>Select</h2><p>${choice.player} takes ${choice.action}.</p>`;
  const why = before.pulls > 0 || before.score !== undefined ? "" : `${choice.player} tries ${choice.action}: ${untried === 1 ? "the last action" : `one of ${untried} actions`} without a visit.`;
  if (why) return html`<h2>Select</h2><p>${why}</p><${ToldArms} arms=${choice.arms} chosen=${choice.action} caption=${`${choice.player} chooses by ${choice.rule}`} />`;
  return html`<h2>Select</h2><p>${choice.player} takes ${choice.action}${hasLargest(choice) ? ", where the rule's number is largest" : ""}.</p>
    <${Formula} told=${choice} action=${choice.action} />`;
}

/** Whether the action taken has the largest number of those that the rule compares. @param {any} choice */
function hasLargest(choice) {
  const number = (/** @type {any} */ arm) => arm.score ?? arm.bound ?? null;
  const numbers = choice.arms.map(number);
  return !numbers.includes(null) && number(choice.arms[choice.chosen]) === Math.max(...numbers);
}

/** @param {any} simulation */
function expanded(simulation) {
  const last = simulation.path.at(-1);
  switch (simulation.expansion) {
    case "opened":
      return simulation.by_network
        ? "The position gets its actions, with the network's priors."
        : `Visited again, the position gets its ${last.arms.length} actions. ${last.player} tries ${last.action} first.`;
    case "first_visit":
      return "Not yet: a position gets its actions on its second visit.";
    case "over":
      return "Nothing: the game is over.";
    case "deepest":
      return "Nothing: the tree may not grow deeper.";
    case "full":
      return "Nothing: the memory is full.";
    default:
      return "Nothing: its value is proven.";
  }
}

/** @param {any} simulation @param {string[]} players */
const rewardsOf = (simulation, players) =>
  `Worth ${simulation.rewards.map((/** @type {number} */ reward, /** @type {number} */ player) => `${Math.round(reward * 1000) / 1000} to ${players[player] ?? player}`).join(", ")}.`;

/**
 * The playout, of which the board shows the first moves.
 * @param {{simulation: any, players: string[], at: number, walk: (moves: number) => void}} props
 */
function Playout({ simulation, players, at, walk }) {
  const { playout, by_network, is_forbidden_next } = simulation;
  if (by_network && !playout?.length) return html`<p>The network values the position. ${rewardsOf(simulation, players)}</p>`;
  if (!playout) return html`<p>No moves to show: what values the position here does not tell them. ${rewardsOf(simulation, players)}</p>`;
  const forbidden = is_forbidden_next && html`<p>It went on with a move that the rules forbid, which playouts do not check. The board cannot show it.</p>`;
  if (playout.length === 0 && forbidden) return html`${forbidden}<p>${rewardsOf(simulation, players)}</p>`;
  if (playout.length === 0) return html`<p>Nothing to play. ${rewardsOf(simulation, players)}</p>`;
  const move = (/** @type {string} */ name, /** @type {number} */ index) => {
    const kind = index < at ? "played" : "";
    return html`<li><button type="button" class=${kind} aria-current=${index + 1 === at ? "step" : null} onClick=${() => walk(index + 1)}>${name}</button></li>`;
  };
  const now = at === 0 ? "The playout begins here." : at < playout.length ? `The board shows move ${at}: ${playout[at - 1]}.` : `${forbidden ? "The last move that can be shown" : "The playout has ended"}: ${playout[at - 1]}${forbidden ? "" : " was its last move"}.`;
  return html`<p>${by_network ? "The network values the position, and so does a playout of" : "A playout of"} ${count(playout.length)} ${playout.length === 1 ? "move" : "moves"}. ${now}</p>
    <ol class="playout-moves" tabindex="0" aria-label="Moves of the playout">${playout.map(move)}</ol>
    ${forbidden}
    <p>${rewardsOf(simulation, players)}</p>`;
}

/** Every edge of the path, from what to what. @param {{simulation: any, from: number}} props */
function BackedUp({ simulation, from }) {
  const two = (/** @type {number | null} */ number) => (number === null ? "-" : number.toFixed(3));
  const row = (/** @type {any} */ choice, /** @type {number} */ index) => {
    const before = choice.arms[choice.chosen];
    const isDone = index >= from;
    return html`<tr class=${index === from ? "taken" : ""}><th scope="row">${choice.action}</th><td>${choice.player}</td>
      <td class="right">${count(before.pulls)}${isDone ? ` → ${count(choice.pulls_after)}` : ""}</td>
      <td class="right">${two(before.mean)}${isDone ? ` → ${two(choice.mean_after)}` : ""}</td>
      ${isSolved && html`<td class="right solver">${isDone ? learnt(worthOf(before.bounds), worthOf(choice.bounds_after)) : worthOf(before.bounds)}</td>`}</tr>`;
  };
  const learnt = (/** @type {string} */ was, /** @type {string} */ is) => (was && was !== is ? `${was} → ${is}` : is);
  const isSolved = simulation.path.some((/** @type {any} */ choice) => choice.bounds_after);
  return html`<table class="told-arms"><caption>What the path's edges learn, from the leaf to the root</caption>
    <thead><tr><th scope="col">edge</th><th scope="col">player</th><th scope="col" class="right">visits</th><th scope="col" class="right">mean</th>${isSolved && html`<th scope="col" class="right">solver</th>`}</tr></thead>
    <tbody>${simulation.path.map(row)}</tbody></table>`;
}

/** @type {import("./index.js").View} */
export const phases = { word: "phases", title: "Four phases", View };
