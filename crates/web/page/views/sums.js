// Sums of games: the exact values of heaps, boards and expressions, and the order that incentive learning reaches.

import { html } from "../vendor/htm-preact.js";
import { go } from "../address.js";
import { Board } from "../parts/sums_board.js";
import { Expression } from "../parts/sums_expression.js";
import { Heap } from "../parts/sums_heap.js";
import { Order } from "../parts/sums_order.js";

/** What can be studied: the word in the address, the title, and its part of the view. @type {[string, string, any][]} */
const KINDS = [
  ["heap", "Heap", Heap],
  ["board", "Board", Board],
  ["expression", "Expression", Expression],
  ["order", "Learned order", Order],
];

/** @param {{params: import("../address.js").Params}} props */
function View({ params }) {
  const [word, , Part] = KINDS.find(([word]) => word === params.kind) ?? KINDS[0];
  const to = (/** @type {any} */ change, /** @type {any} */ how = {}) => go("sums", { ...params, kind: word, ...change }, how);
  const choose = (/** @type {string} */ kind) => go("sums", { kind });
  const kinds = html`<div class="row buttons kinds" role="group" aria-label="What to study">
    ${KINDS.map(([kind, title]) => html`<button type="button" aria-pressed=${String(kind === word)} onClick=${() => choose(kind)}>${title}</button>`)}
  </div>`;
  return html`<${Part} key=${word} params=${params} to=${to} kinds=${kinds} />`;
}

/** @type {import("./index.js").View} */
export const sums = { word: "sums", title: "Sums of games", View };
