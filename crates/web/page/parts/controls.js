// Controls that several views share: the game, an agent, and lines that say what is wrong.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { ask, catalog, knownCatalog } from "../api.js";
import { wordOf } from "../address.js";

/** Agents that are searches, and take simulations. */
const SEARCHES = ["uct", "rave", "flat", "alphazero", "gumbel"];

/** The simulations of a move, if the name of a search says nothing. */
const SIMULATIONS = 20_000;

/** @returns {any} all games and agents, or null until they are here */
export function useCatalog() {
  const [known, setKnown] = useState(knownCatalog());
  useEffect(() => {
    catalog().then(setKnown, () => {});
  }, []);
  return known;
}

/**
 * The strongest agent known for a game, with a budget for a move in a game against a person.
 * @param {string} game
 */
export function useStrongest(game) {
  const [found, setFound] = useState({ game: "", agent: "" });
  useEffect(() => {
    let isLeft = false;
    ask("game", { body: { game } }).then(
      ({ agent }) => isLeft || setFound({ game, agent: withBudget(agent) }),
      () => isLeft || setFound({ game, agent: withBudget("uct") }),
    );
    return () => {
      isLeft = true;
    };
  }, [game]);
  return found.game === game ? found.agent : "";
}

/** @param {string} agent */
export function isSearch(agent) {
  return SEARCHES.includes(wordOf(agent));
}

/** @param {string} agent */
const withBudget = (agent) =>
  isSearch(agent) && !/ (simulations|time)=/.test(agent) ? `${agent} simulations=${SIMULATIONS}` : agent;

/** An agent without its limit on memory, which the server adds. @param {string} agent */
export const bare = (agent) => agent.replace(/ memory=\S+/, "");

/** @param {{error: string | null | undefined}} props */
export function Problem({ error }) {
  return html`<div class="problem" role="alert">${error}</div>`;
}

/** Options of a name: "hex size=5" has size 5. @param {string} game */
const optionsOf = (game) => Object.fromEntries(game.split(/\s+/).slice(1).map((word) => word.split(/=(.*)/s).slice(0, 2)));

/**
 * An input that keeps what is being typed, also while the page around it is drawn again.
 * @param {{value: string | number, set: (value: string) => void, [more: string]: any}} props
 */
export function Typed({ value, set, ...more }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return html`<input ...${more} value=${text} spellcheck="false" autocomplete="off"
    onInput=${(/** @type {any} */ event) => setText(event.target.value)} onChange=${(/** @type {any} */ event) => set(event.target.value.trim())} />`;
}

/**
 * Chooses a game and its options.
 * @param {{game: string, choose: (game: string) => void}} props
 */
export function GamePicker({ game, choose }) {
  const known = useCatalog();
  const word = wordOf(game);
  const entry = known?.games.find((/** @type {any} */ entry) => entry.word === word);
  const given = optionsOf(game);
  const set = (/** @type {string} */ key, /** @type {string} */ value) => {
    const options = { ...given, [key]: value };
    const words = Object.entries(options).filter(([, value]) => value);
    choose([word, ...words.map(([key, value]) => `${key}=${value}`)].join(" "));
  };
  const field = (/** @type {any} */ option) => html`<label class="field">
    <span>${option.key} <small>${option.what}: ${option.takes}</small></span>
    <${Typed} value=${given[option.key] ?? ""} set=${(/** @type {string} */ value) => set(option.key, value)} />
  </label>`;
  const names = known?.games.map((/** @type {any} */ { word }) => word) ?? [word];
  return html`<div class="picker">
    <label class="field"><span>Game</span>
      <select value=${word} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
        ${(names.includes(word) ? names : [word, ...names]).map((/** @type {string} */ name) => html`<option value=${name}>${name}</option>`)}
      </select>
    </label>
    ${entry?.options.length > 0 && html`<details><summary>Options of the game</summary><div class="fields">${entry.options.map(field)}</div></details>`}
    ${entry?.rules && html`<details><summary>Rules</summary><p class="rules">${entry.rules}</p></details>`}
  </div>`;
}

/**
 * Names an agent: free text, with the presets to choose from.
 * @param {{label: string, agent: string, choose: (agent: string) => void, placeholder?: string}} props
 */
export function AgentField({ label, agent, choose, placeholder }) {
  const known = useCatalog();
  const id = `agents-${label.replace(/\W/g, "")}`;
  return html`<label class="field"><span>${label}</span>
    <${Typed} list=${id} value=${agent} placeholder=${placeholder} set=${choose} />
    <datalist id=${id}>${known?.agents.map((/** @type {any} */ entry) => html`<option value=${entry.word}>${entry.summary}</option>`)}</datalist>
  </label>`;
}
