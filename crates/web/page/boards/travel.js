// One traveller on a map: the sailing lake, and the Canadian traveller's roads.

import { html, useMemo } from "../vendor/htm-preact.js";
import { Drawing } from "./targets.js";

/** Steps of the headings: columns to the east, rows to the north. @type {Record<string, [number, number]>} */
const HEADINGS = { n: [0, 1], ne: [1, 1], e: [1, 0], se: [1, -1], s: [0, -1], sw: [-1, -1], w: [-1, 0], nw: [-1, 1] };

const POINT = 40;

/** @param {import("./grid.js").BoardProps} props */
function Lake({ shown, act, marks, hint }) {
  const [point, wind, tack, ...minutes] = shown.text.split(" ");
  const [column, row] = point.split(",").map(Number);
  const size = shown.board.split("\n").filter((/** @type {string} */ line) => /^( [.@*])+$/.test(line)).length;
  const side = size * POINT;
  const x = (/** @type {number} */ c) => (c + 0.5) * POINT;
  const y = (/** @type {number} */ r) => side - (r + 0.5) * POINT;
  const to = (/** @type {string} */ heading) => {
    const [dx, dy] = HEADINGS[heading] ?? [0, 0];
    return [x(column + dx), y(row + dy)];
  };
  const targets = (act ? shown.actions : []).filter((/** @type {string} */ action) => HEADINGS[action]).map((/** @type {string} */ action) => {
    const [tx, ty] = to(action);
    return { key: action, label: `sail ${action}`, x: tx, y: ty, area: html`<circle cx=${tx} cy=${ty} r="17" />`, run: () => act?.(action) };
  });
  const leg = (/** @type {string} */ action, /** @type {string} */ kind, /** @type {number} */ width) => {
    const [tx, ty] = to(action);
    return html`<line class=${kind} x1=${x(column)} y1=${y(row)} x2=${tx} y2=${ty} stroke-width=${width} />`;
  };
  const turn = Object.keys(HEADINGS).indexOf(wind) * 45;
  return html`<div class="lake">
    <${Drawing} width=${side} height=${side} label=${`Lake: ${shown.text}`} targets=${targets} class="water">
      <rect class="sea" width=${side} height=${side} rx="10" />
      ${Array.from({ length: size * size }, (_, index) => html`<circle class="buoy" cx=${x(index % size)} cy=${y(Math.floor(index / size))} r="2.5" />`)}
      ${marks && [...marks].map(([action, mark]) => leg(action, `mark ${mark.best ? "best" : ""}`, 2 + 12 * Math.sqrt(mark.share)))}
      ${hint && leg(hint, "hint", 5)}
      <text class="goal" x=${x(size - 1)} y=${y(size - 1) + 8}>⚑</text>
      <path class="boat" transform=${`translate(${x(column)} ${y(row)})`} d="M-11 5H11L7 11H-7ZM-1-13V3H-10ZM2-9L9 3H2Z" />
    <//>
    <p class="under"><svg class="wind" viewBox="-12 -12 24 24" role="img" aria-label=${`Wind from ${wind}`}>
        <path d="M0-10V8M-5 2L0 9L5 2" transform=${`rotate(${turn})`} /></svg>
      wind from <b>${wind}</b>, tack <b>${tack}</b>, ${/([\d.]+) minutes/.exec(shown.board)?.[1] ?? minutes.join(" ")} minutes</p>
  </div>`;
}

/** The roads of a map: from, to, length, state. @param {string} board */
function roadsOf(board) {
  const roads = [...board.matchAll(/^(\w)-(\w)\s+(\d+)\s+(open|blocked with probability ([\d.]+)|blocked)$/gm)];
  return roads.map(([, from, to, length, state, odds]) => ({ from, to, length: Number(length), state: odds ? "unknown" : state, odds }));
}

/** Passes of a layout, and layouts that are tried. */
const PASSES = 250;
const TRIES = 40;

/** Vertices without a road between them keep at least this apart. */
const APART = 22;

/** A shorter road is drawn as long as this, so that its ends do not touch. */
const SHORT = 12;

/** @typedef {{from: string, to: string, length: number}} Road */

/**
 * Places for the vertices, so that roads are about as long as they say. A position has no coordinates, but its roads were
 * drawn on a plane, and its letters go from west to east. Of several layouts, always the same ones, the best is taken.
 * @param {Road[]} roads
 */
function laidOut(roads) {
  const names = [...new Set(roads.flatMap((road) => [road.from, road.to]))].sort();
  const ends = roads.map((road) => [names.indexOf(road.from), names.indexOf(road.to), Math.max(road.length, SHORT)]);
  const tries = Array.from({ length: TRIES }, (_, seed) => settled(names.length, ends, seed));
  const places = tries.reduce((best, next) => (error(next, ends) < error(best, ends) ? next : best));
  const [xs, ys] = [places.map((place) => place[0]), places.map((place) => place[1])];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const scale = 420 / Math.max(1, Math.max(...xs) - left);
  const at = new Map(names.map((name, index) => [name, [30 + (xs[index] - left) * scale, 30 + (ys[index] - top) * scale]]));
  return { height: (Math.max(...ys) - top) * scale + 60, at };
}

/** A layout from one start, where every road pulls or pushes its ends. @param {number} count @param {number[][]} ends @param {number} seed */
function settled(count, ends, seed) {
  const places = Array.from({ length: count }, (_, index) => [(100 * index) / count, 100 * ((Math.sin((index + 1) * 12.9898 + seed * 78.233) * 43758.5453) % 1)]);
  const joined = new Set(ends.map(([a, b]) => a * count + b));
  const move = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ wanted, /** @type {number} */ rate) => {
    const [dx, dy] = [places[a][0] - places[b][0], places[a][1] - places[b][1]];
    const found = Math.hypot(dx, dy) || 1;
    const step = (rate * (wanted - found)) / found / 2;
    places[a][0] += dx * step;
    places[a][1] += dy * step;
    places[b][0] -= dx * step;
    places[b][1] -= dy * step;
  };
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [a, b, length] of ends) move(a, b, length, 0.5);
    for (let b = 1; b < count; b++) {
      for (let a = 0; a < b; a++) {
        const far = Math.hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]);
        if (!joined.has(a * count + b) && far < APART) move(a, b, APART, 0.3);
      }
      const back = places[b - 1][0] - places[b][0];
      if (back > 0) [places[b - 1][0], places[b][0]] = [places[b - 1][0] - back * 0.3, places[b][0] + back * 0.3];
    }
  }
  return places;
}

/** How wrong a layout is: lengths, and roads that cross. @param {number[][]} places @param {number[][]} ends */
function error(places, ends) {
  let sum = 0;
  for (const [a, b, length] of ends) {
    sum += (Math.hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]) - length) ** 2;
  }
  const side = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c) =>
    Math.sign((places[b][0] - places[a][0]) * (places[c][1] - places[a][1]) - (places[b][1] - places[a][1]) * (places[c][0] - places[a][0]));
  for (const [a, b] of ends) {
    for (const [c, d] of ends) {
      const isApart = new Set([a, b, c, d]).size === 4;
      if (isApart && side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b)) sum += 200;
    }
  }
  return sum;
}

/** @param {import("./grid.js").BoardProps} props */
function Roads({ shown, act, marks, hint }) {
  const roads = roadsOf(shown.board);
  const shape = roads.map((road) => `${road.from}${road.to}${road.length}`).join();
  const { at, height } = useMemo(() => laidOut(roads), [shape]);
  const [, here, goal] = /at (\w), to (\w)/.exec(shown.board) ?? ["", "a", ""];
  const place = (/** @type {string} */ name) => /** @type {number[]} */ (at.get(name) ?? [0, 0]);
  const targets = (act ? shown.actions : []).filter((/** @type {string} */ action) => at.has(action)).map((/** @type {string} */ action) => {
    const [x, y] = place(action);
    return { key: action, label: `go to ${action}`, x, y, area: html`<circle cx=${x} cy=${y} r="20" />`, run: () => act?.(action) };
  });
  const road = (/** @type {any} */ { from, to, length, state, odds }) => {
    const [a, b] = [place(from), place(to)];
    return html`<g class=${`road ${state}`}><line x1=${a[0]} y1=${a[1]} x2=${b[0]} y2=${b[1]} />
      <text x=${(a[0] + b[0]) / 2} y=${(a[1] + b[1]) / 2 - 2}>${length}${odds ? ` (${Math.round(odds * 100)}%)` : ""}</text></g>`;
  };
  const vertex = ([name, [x, y]]) => {
    const mark = marks?.get(name);
    return html`<g class=${`vertex ${name === here ? "here" : ""} ${name === goal ? "there" : ""} ${hint === name ? "hinted" : ""}`}>
      ${mark && html`<circle class=${`mark ${mark.best ? "best" : ""}`} cx=${x} cy=${y} r=${14 + 14 * Math.sqrt(mark.share)} />`}
      <circle cx=${x} cy=${y} r="14" /><text x=${x} y=${y + 5}>${name}</text></g>`;
  };
  const foot = shown.board.trim().split("\n").at(-1);
  return html`<${Drawing} width=${480} height=${height} label=${`Map: ${shown.text}`} targets=${targets} class="map">
      ${roads.map(road)} ${[...at].map(vertex)}
    <//>
    <p class="under">${foot}. Dashed roads may be blocked, by the probability shown.</p>`;
}

export const FAMILIES = [
  { words: ["sailing"], Board: Lake },
  { words: ["canadian-traveller"], Board: Roads },
];
