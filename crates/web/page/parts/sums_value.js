// What is known of a game, and asking for it: parts that heaps, boards and expressions share.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { ask } from "../api.js";
import { count } from "../format.js";

/** Milliseconds after the last change before the server is asked. */
const PATIENCE = 150;

/**
 * The answer to a question; the last one stays until the next is here.
 * @param {string} path @param {any} body null for no question
 */
export function useAnswer(path, body) {
  const [state, setState] = useState(/** @type {{told: any, error: string | null, isAsking: boolean}} */ ({ told: null, error: null, isAsking: false }));
  const key = body === null ? "" : JSON.stringify([path, body]);
  useEffect(() => {
    if (!key) return setState({ told: null, error: null, isAsking: false });
    const leave = new AbortController();
    setState((last) => ({ ...last, isAsking: true }));
    const timer = setTimeout(() => {
      ask(path, { body, signal: leave.signal }).then(
        (told) => setState({ told, error: null, isAsking: false }),
        (error) => leave.signal.aborted || setState({ told: null, error: error.message, isAsking: false }),
      );
    }, PATIENCE);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [key]);
  return state;
}

/** Texts that are longer are shown in a box of their own. */
const LONG = 60;

/** @param {{text: string}} props */
export const Form = ({ text }) => html`<code class=${text.length > LONG ? "form long" : "form"} tabindex=${text.length > LONG ? "0" : null}>${text}</code>`;

/** All numbers of a game. @param {{game: any}} props */
export function GameNumbers({ game }) {
  const { graph, incentives } = game;
  const list = (/** @type {string[]} */ forms) => (forms.length > 0 ? forms.map((form) => html`<${Form} text=${form} /> `) : html`<small>no move</small>`);
  return html`<dl class="facts">
    <div><dt>canonical form</dt><dd><${Form} text=${game.form} /></dd></div>
    <div><dt>outcome</dt><dd>${game.outcome}</dd></div>
    ${numbersOf(graph).map(([name, number]) => html`<div><dt>${name}</dt><dd class="number">${number.text}</dd></div>`)}
    <div><dt>incentives of Left</dt><dd>${incentives ? list(incentives[0]) : html`<small>too large to show</small>`}</dd></div>
    <div><dt>incentives of Right</dt><dd>${incentives ? list(incentives[1]) : html`<small>too large to show</small>`}</dd></div>
  </dl>`;
}

/**
 * The states that play can reach, the hottest first, each a link to what it is worth alone.
 * @param {{answer: {told: any, error: string | null}, of: string, open: (state: string) => void}} props
 */
export function ReachedStates({ answer, of, open }) {
  const { told, error } = answer;
  if (error) return html`<p class="told">No table of states: ${error}</p>`;
  if (!told) return null;
  const list = (/** @type {string[]} */ forms) => forms.map((form) => html`<${Form} text=${form} /> `);
  const row = (/** @type {any} */ { state, states, graph, incentives }) => html`<tr>
    <th scope="row"><button type="button" class="link" onClick=${() => open(state)}><code>${state}</code></button>${states > 1 && html` <small>and ${states - 1} more</small>`}</th>
    ${numbersOf(graph).map(([, number]) => html`<td class="right">${number.text}</td>`)}
    ${[0, 1].map((side) => html`<td>${incentives ? list(incentives[side]) : html`<small>too large</small>`}</td>`)}</tr>`;
  const more = told.left_out > 0 ? `${count(told.left_out)} further values are left out` : "";
  const cut = told.is_whole ? "" : "play reaches more states than were looked at";
  return html`<div class="scroll reached" tabindex="0" role="region" aria-label=${`States of ${of}`}><table class="states"><caption>States that play can reach, the hottest first, each value once</caption>
    <thead><tr><th scope="col">state</th><th scope="col" class="right">mean</th><th scope="col" class="right">temp.</th><th scope="col" class="right">left stop</th><th scope="col" class="right">right stop</th>
      <th scope="col">Left's incentives</th><th scope="col">Right's incentives</th></tr></thead>
    <tbody>${told.rows.map(row)}</tbody>
    ${(more || cut) && html`<tfoot><tr><td colspan="7">${[more, cut].filter(Boolean).join("; ")}</td></tr></tfoot>`}</table></div>`;
}

/** @param {any} graph @returns {[string, any][]} */
export const numbersOf = (graph) => [["mean", graph.mean], ["temperature", graph.temperature], ["left stop", graph.left_stop], ["right stop", graph.right_stop]];

/** A text field that is read as it is typed. @param {{label: string, note?: string, value: string, set: (value: string) => void, id?: string}} props */
export const TextField = ({ label, note, value, set }) => html`<label class="field"><span>${label}${note && html` <small>(${note})</small>`}</span>
  <input value=${value} spellcheck="false" autocomplete="off" onInput=${(/** @type {any} */ event) => set(event.target.value)} /></label>`;
