// The form of a new contest: what kind, which game, which agents, how many games. The address holds all of it.

import { html, useState } from "../vendor/htm-preact.js";
import { ask } from "../api.js";
import { go, readAddress } from "../address.js";
import { AgentField, GamePicker, Problem, bare, useStrongest } from "./controls.js";

/** The kinds of contests, and what each is for. @type {Record<string, [string, string]>} */
export const KINDS = {
  match: ["Match", "Two agents play pairs of games: the same opening and the same random numbers, with the sides swapped."],
  tournament: ["Tournament", "Every agent plays every other: a rating for each, and who beat whom."],
  tuning: ["Tuning", "Several values of an option play the agent as it is: which value is best?"],
};

/** What an address leaves out. @type {Record<string, string>} */
const DEFAULTS = { kind: "match", game: "connect-four", games: "100", openings: "", seed: "1", vary: "c=0.1..2", points: "8", test: "", name: "" };

/** Simulations of a move, for agents that are suggested. */
const SIMULATIONS = 1_000;

/** @param {{params: import("../address.js").Params}} props */
export function ContestForm({ params }) {
  const given = { ...DEFAULTS, ...params };
  const kind = given.kind in KINDS ? given.kind : "match";
  const agents = useAgents(given, kind);
  const [state, setState] = useState(/** @type {{isAsking: boolean, error: string | null}} */ ({ isAsking: false, error: null }));
  const to = (/** @type {any} */ change) => {
    setState({ isAsking: false, error: null });
    go("lab", shortest({ ...params, ...change }), { replace: true });
  };
  const start = async () => {
    // Enter changes a field and starts at once, so the address knows more than what was drawn.
    const latest = { ...DEFAULTS, ...readAddress().params };
    const wrong = mistake(latest, kind);
    if (wrong) return setState({ isAsking: false, error: wrong });
    setState({ isAsking: true, error: null });
    try {
      const { name } = await ask("lab/runs", { body: bodyOf(latest, kind, latest.agents ? latest.agents.split(";") : agents) });
      go("lab", { run: name });
    } catch (error) {
      setState({ isAsking: false, error: /** @type {Error} */ (error).message });
    }
  };
  const setAgents = (/** @type {string[]} */ names) => to({ agents: names.join(";") });
  const field = (/** @type {string} */ key, /** @type {string} */ title, /** @type {string} */ note, /** @type {any} */ more = {}) => html`<label class="field"><span>${title}${note && html` <small>(${note})</small>`}</span>
    <input value=${given[key]} spellcheck="false" autocomplete="off" ...${more} onChange=${(/** @type {any} */ event) => to({ [key]: event.target.value.trim() || null })} /></label>`;
  const number = { inputmode: "numeric" };
  return html`<form class="contest-form" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), start())}>
    <div class="row buttons" role="group" aria-label="Kind">
      ${Object.entries(KINDS).map(([word, [title]]) => html`<button type="button" aria-pressed=${String(word === kind)} onClick=${() => to({ kind: word, agents: null })}>${title}</button>`)}
    </div>
    <p class="told">${KINDS[kind][1]}</p>
    <${GamePicker} game=${given.game} choose=${(/** @type {string} */ game) => to({ game, agents: null })} />
    <fieldset class="fields"><legend>${kind === "tuning" ? "Agent" : "Agents"}</legend>
      ${agents.map((name, index) => html`<div class="row agent-row">
        <div class="grow"><${AgentField} label=${kind === "match" ? `Agent ${"ab"[index]}` : kind === "tuning" ? "Agent to tune" : `Agent ${index + 1}`} agent=${name}
          choose=${(/** @type {string} */ agent) => setAgents(agents.map((other, at) => (at === index ? agent || other : other)))} /></div>
        ${kind === "tournament" && agents.length > 2 && html`<button type="button" aria-label=${`Remove agent ${index + 1}`} onClick=${() => setAgents(agents.filter((_, at) => at !== index))}>Remove</button>`}
      </div>`)}
      ${kind === "tournament" && html`<button type="button" onClick=${() => setAgents([...agents, `uct simulations=${SIMULATIONS} seed=${agents.length + 1}`])}>Add an agent</button>`}
      ${kind === "tuning" && html`<div class="row"><div class="grow">${field("vary", "Option and values", "c=0.1..2, or a list: root=ucb1,voi")}</div>
        <div class="short">${field("points", "Values", "", number)}</div></div>`}
    </fieldset>
    <fieldset class="fields three"><legend>Games</legend>
      ${field("games", kind === "match" ? "Games" : "Games of a pair", "", number)}
      ${field("openings", "Random plies", "", { ...number, placeholder: "2" })}
      ${field("seed", "Seed", "", number)}
    </fieldset>
    ${kind === "match" && field("test", "Sequential test", "ends the match when it has decided between two Elo differences", { placeholder: "such as 0, 50; empty for none" })}
    ${field("name", "Name of the journal", "", { placeholder: "chosen for you" })}
    <div class="row buttons"><button type="submit" class="primary" disabled=${state.isAsking || agents.length === 0}>Start</button></div>
    <${Problem} error=${state.error} />
  </form>`;
}

/** Two agents to begin with, unless the address names some. @param {Record<string, string>} given @param {string} kind */
function useAgents(given, kind) {
  const strongest = useStrongest(given.game);
  if (given.agents) return given.agents.split(";");
  const plain = `uct simulations=${SIMULATIONS}`;
  if (kind === "tuning") return [plain];
  const best = bare(strongest).replace(/ simulations=\S+/, ` simulations=${SIMULATIONS}`);
  const other = best && best !== plain && /simulations=/.test(best) ? best : `${plain} c=0.5`;
  return kind === "match" ? [plain, other] : [plain, other, "random"];
}

/** The parameters without those that everybody has. @param {Record<string, any>} params */
const shortest = (params) => Object.fromEntries(Object.entries(params).filter(([key, value]) => value !== DEFAULTS[key]));

/** Two differences in Elo. @param {string} text */
const testOf = (text) => text.split(/[,;]\s*|\s+/).filter(Boolean).map(Number);

/** The field that should be a number and is not. @param {Record<string, string>} given @param {string} kind */
function mistake(given, kind) {
  const keys = ["games", "seed", ...(given.openings ? ["openings"] : []), ...(kind === "tuning" ? ["points"] : [])];
  const wrong = keys.find((key) => !/^\d{1,9}$/.test(given[key].trim()));
  if (wrong) return `${wrong}: "${given[wrong]}" found, expected a whole number`;
  const test = testOf(given.test);
  const isTest = test.length === 0 || (test.length === 2 && test.every(Number.isFinite));
  return kind === "match" && !isTest ? `test: "${given.test}" found, expected two differences in Elo, such as 0, 50` : null;
}

/** What the server is asked for. @param {Record<string, string>} given @param {string} kind @param {string[]} agents */
function bodyOf(given, kind, agents) {
  const test = testOf(given.test);
  return {
    kind,
    name: given.name || null,
    game: given.game,
    agents,
    games: Number(given.games),
    openings: given.openings ? Number(given.openings) : null,
    seed: Number(given.seed),
    ...(kind === "tuning" ? { vary: given.vary, points: Number(given.points) } : {}),
    ...(kind === "match" && test.length === 2 ? { sprt: test } : {}),
  };
}
