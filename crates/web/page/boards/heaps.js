// Heaps of counters: Nim and Heap-Go.

import { html } from "../vendor/htm-preact.js";
import { Drawing } from "./targets.js";

const WIDTH = 56;
const COUNTER = 30;
const PAD = 16;

/** A heap taller than this is drawn with smaller steps. */
const TALL = 12;

/** The height of a counter, so that the tallest heap fits. @param {number} tallest */
const stepOf = (tallest) => (tallest <= TALL ? COUNTER : (COUNTER * TALL) / tallest);

/** @param {import("./grid.js").BoardProps} props */
function Nim({ shown, act, marks, hint }) {
  const heaps = shown.text.split(" ")[0].split(",").map(Number);
  const tallest = Math.max(1, ...heaps);
  const step = stepOf(tallest);
  const height = tallest * step + 2 * PAD + 40;
  const floor = height - 40;
  const x = (/** @type {number} */ heap) => PAD + (heap + 0.5) * WIDTH;
  const y = (/** @type {number} */ counter) => floor - (counter + 0.5) * step;
  const counters = heaps.flatMap((/** @type {number} */ size, /** @type {number} */ heap) =>
    Array.from({ length: size }, (_, counter) => {
      const taken = hint?.startsWith(`${heap + 1}:`) && counter >= size - Number(hint.split(":")[1]);
      return html`<ellipse class=${`counter ${taken ? "taken" : ""}`} cx=${x(heap)} cy=${y(counter)} rx="20" ry=${step * 0.44} />`;
    }),
  );
  const targets = (act ? shown.actions : []).map((/** @type {string} */ action) => {
    const [heap, taken] = action.split(":").map(Number);
    const counter = heaps[heap - 1] - taken;
    const area = html`<rect x=${x(heap - 1) - 22} y=${y(counter) - step / 2} width="44" height=${step} rx="4" />`;
    return { key: action, label: `take ${taken} from heap ${heap}`, x: x(heap - 1), y: y(counter), area, run: () => act?.(action) };
  });
  const mark = (/** @type {[string, import("./grid.js").Mark]} */ [action, found]) => {
    const [heap, taken] = action.split(":").map(Number);
    if (found.share < 0.005) return null;
    const at = y(heaps[heap - 1] - taken);
    return html`<g class=${`mark ${found.best ? "best" : ""}`}><rect x=${x(heap - 1) - 20} y=${at - step * 0.4} rx="4"
      width=${40 * Math.sqrt(found.share)} height=${step * 0.8} /><text x=${x(heap - 1)} y=${at + 4}>${Math.round(found.share * 100)}%</text></g>`;
  };
  return html`<${Drawing} width=${heaps.length * WIDTH + 2 * PAD} height=${height} label=${`Heaps: ${shown.text}`} targets=${targets} class="heaps">
    <line class="floor" x1=${PAD} x2=${PAD + heaps.length * WIDTH} y1=${floor + 1} y2=${floor + 1} />
    ${counters} ${heaps.map((/** @type {number} */ size, /** @type {number} */ heap) => html`<text class="coordinate" x=${x(heap)} y=${floor + 18}>heap ${heap + 1}</text>
      <text class="coordinate" x=${x(heap)} y=${floor + 33}>${size}</text>`)}
    ${marks && [...marks].map(mark)}
  <//>`;
}

/** The counters of a heap, the top one first: R3B5. @param {string} text */
const countersOf = (text) => [...text.matchAll(/([RB])(\d+)/g)].map(([, colour, weight]) => ({ colour, weight: Number(weight) }));

/** The counters that a player takes from a heap: up to the first of the other's colour. @param {{colour: string}[]} heap @param {number} player */
function takenOf(heap, player) {
  const stop = heap.findIndex((counter) => counter.colour === (player === 0 ? "R" : "B"));
  return stop < 0 ? heap.length : stop + 1;
}

/** Heaps in a row of the drawing. */
const ROW = 12;

/** @param {import("./grid.js").BoardProps} props */
function HeapGo({ shown, act, marks, hint }) {
  const [heapText, total] = shown.text.split(" ");
  const heaps = heapText.split("/").map(countersOf);
  const tallest = Math.max(1, ...heaps.map((heap) => heap.length));
  const step = stepOf(tallest);
  const level = tallest * step + 52;
  const columns = Math.min(ROW, heaps.length);
  const lines = Math.ceil(heaps.length / ROW);
  const x = (/** @type {number} */ heap) => PAD + ((heap % ROW) + 0.5) * WIDTH;
  const floor = (/** @type {number} */ heap) => Math.floor(heap / ROW) * level + PAD + tallest * step;
  const heap = (/** @type {any[]} */ counters, /** @type {number} */ index) => {
    const taken = hint === String(index + 1) ? takenOf(counters, shown.player ?? 0) : 0;
    return counters.map((counter, place) => {
      const y = floor(index) - (counters.length - place - 0.5) * step;
      return html`<g class=${`counter ${counter.colour === "B" ? "p0" : "p1"} ${place < taken ? "taken" : ""}`}>
        <rect x=${x(index) - 22} y=${y - step / 2 + 1.5} width="44" height=${step - 3} rx="6" />
        ${step > 12 && html`<text x=${x(index)} y=${y + 4.5}>${counter.colour}${counter.weight}</text>`}</g>`;
    });
  };
  const targets = (act ? shown.actions : []).map((/** @type {string} */ action) => {
    const index = Number(action) - 1;
    const height = Math.max(step, heaps[index].length * step);
    const area = html`<rect x=${x(index) - 25} y=${floor(index) - height - 3} width="50" height=${height + 6} rx="7" />`;
    const taken = heaps[index].slice(0, takenOf(heaps[index], shown.player ?? 0)).map((counter) => counter.colour + counter.weight);
    return { key: action, label: `take ${taken.join(" ")} from heap ${action}`, x: x(index), y: floor(index) - height / 2, area, run: () => act?.(action) };
  });
  const foot = (/** @type {any} */ _, /** @type {number} */ index) => {
    const mark = marks?.get(String(index + 1));
    return html`<text class="coordinate" x=${x(index)} y=${floor(index) + 17}>${index + 1}</text>
      ${mark && html`<g class=${`mark ${mark.best ? "best" : ""}`}><rect x=${x(index) - 22} y=${floor(index) + 22} width=${44 * mark.share} height="5" />
        <text x=${x(index)} y=${floor(index) + 37}>${Math.round(mark.share * 100)}% ${mark.mean}</text></g>`}`;
  };
  return html`<${Drawing} width=${columns * WIDTH + 2 * PAD} height=${lines * level + PAD} label=${`Heaps: ${shown.text}`} targets=${targets} class="heaps">
      ${heaps.map(heap)} ${heaps.map(foot)}
    <//>
    <p class="under">Total <b class="number">${total}</b> to Left. Each click takes counters from the top.</p>`;
}

export const FAMILIES = [
  { words: ["nim"], Board: Nim },
  { words: ["heap-go"], Board: HeapGo },
];
