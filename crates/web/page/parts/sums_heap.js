// A heap of Heap-Go: its states, each with its thermograph.

import { html } from "../vendor/htm-preact.js";
import { Problem } from "./controls.js";
import { Waiting, useReady } from "./ready.js";
import { TextField, numbersOf, useAnswer } from "./sums_value.js";
import { ThermographPicture } from "./thermograph.js";

/** Counters that the drawing shows. */
const DRAWN = 16;

const WIDE = 60;
const TALL = 26;

/** @param {{params: import("../address.js").Params, to: (change: any, how?: any) => void, kinds: any}} props */
export function Heap({ params, to, kinds }) {
  const text = params.heap ?? "B6B1R4B7R3";
  const { told, error } = useAnswer("sums/heap", text.trim() ? { heap: text } : null);
  if (!useReady(told || error || !text.trim())) return html`<${Waiting} />`;
  const states = told ?? [];
  const counters = Number(params.counters) || states[0]?.counters;
  const state = states.find((/** @type {any} */ one) => one.counters === counters) ?? states[0];
  return html`<div class="view sums">
    ${kinds}
    <section class="stage" aria-label="Thermograph and states">
      <h1 class="status">${state ? html`${state.heap}: temperature <span class="number">${state.graph.temperature.text}</span>` : "A heap"}</h1>
      ${state ? html`<${ThermographPicture} graph=${state.graph} of=${state.heap} />` : html`<div class="empty">The thermograph stands here.</div>`}
      ${states.length > 0 && html`<div class="heap-and-states"><${Drawing} heap=${states[0].heap} from=${states[0].counters - (state?.counters ?? 0)} />
        <${States} states=${states} shown=${state} choose=${(/** @type {number} */ counters) => to({ counters }, { replace: true })} /></div>`}
    </section>
    <section class="side" aria-label="The heap">
      <${TextField} label="Heap" note="R or B and a weight for each counter, the top one first" value=${text} set=${(/** @type {string} */ heap) => to({ heap, counters: null }, { replace: true })} />
      <${Problem} error=${error} />
      <p class="told">Left takes counters from the top down to the first red one, Right down to the first blue one. A gain is what a move pays, and by how much it changes the mean, for the one who moves.</p>
    </section>
  </div>`;
}

/** The heap, with the counters that the shown state has lost drawn faintly. @param {{heap: string, from: number}} props */
function Drawing({ heap, from }) {
  const all = [...heap.matchAll(/([RB])(\d+)/g)];
  const shown = all.slice(0, DRAWN);
  const height = shown.length * TALL + (all.length > DRAWN ? 18 : 0) + 4;
  return html`<svg class="heap-drawing" viewBox=${`0 0 ${WIDE} ${height}`} width=${WIDE} height=${height} role="img" aria-label=${`Heap ${heap}, the top counter first`}>
    ${shown.map(([text, colour], index) => html`<g class=${`counter ${colour === "B" ? "p0" : "p1"} ${index < from ? "gone-counter" : ""}`}>
      <rect x="2" y=${index * TALL + 2} width=${WIDE - 4} height=${TALL - 3} rx="6" /><text x=${WIDE / 2} y=${index * TALL + TALL / 2 + 5}>${text}</text></g>`)}
    ${all.length > DRAWN && html`<text class="coordinate" x=${WIDE / 2} y=${height - 6}>and ${all.length - DRAWN} more</text>`}
  </svg>`;
}

/** @param {{states: any[], shown: any, choose: (counters: number) => void}} props */
function States({ states, shown, choose }) {
  const row = (/** @type {any} */ state) => html`<tr class=${state === shown ? "best" : ""}>
    <th scope="row"><button type="button" class="link" aria-pressed=${String(state === shown)} aria-label=${`state with ${state.counters} counters`} onClick=${() => choose(state.counters)}>${state.counters}</button></th>
    ${numbersOf(state.graph).map(([, number]) => html`<td class="right">${number.text}</td>`)}
    ${state.gains.map((/** @type {any} */ gain) => html`<td class="right">${gain.text}</td>`)}</tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="States of the heap"><table class="states"><caption>States, by the counters left</caption>
    <thead><tr><th scope="col">counters</th><th scope="col" class="right">mean</th><th scope="col" class="right">temp.</th><th scope="col" class="right">left stop</th><th scope="col" class="right">right stop</th>
      <th scope="col" class="right">Left gains</th><th scope="col" class="right">Right gains</th></tr></thead>
    <tbody>${states.map(row)}</tbody></table></div>`;
}
