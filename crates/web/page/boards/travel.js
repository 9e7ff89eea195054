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

/** Passes of the layout, enough for twenty vertices to settle. */
const PASSES = 400;

/**
 * Places for the vertices, so that roads are about as long as they say. The position has no coordinates, so this moves
 * vertices along their roads from a circle, always in the same way.
 * @param {{from: string, to: string, length: number}[]} roads
 */
function laidOut(roads) {
  const names = [...new Set(roads.flatMap((road) => [road.from, road.to]))].sort();
  const far = distances(names, roads);
  const places = names.map((_, index) => {
    // From west to east, as the letters go.
    return [100 * (index / Math.max(1, names.length - 1)), 50 + 40 * Math.sin(index * 2.4)];
  });
  for (let pass = 0; pass < PASSES; pass++) {
    const rate = 0.5 * (1 - pass / PASSES);
    for (let a = 0; a < names.length; a++) {
      for (let b = 0; b < a; b++) {
        const [dx, dy] = [places[a][0] - places[b][0], places[a][1] - places[b][1]];
        const found = Math.hypot(dx, dy) || 1;
        const pull = (rate * (far[a][b] - found)) / found / (far[a][b] / 20 + 1);
        places[a][0] += (dx * pull) / 2;
        places[a][1] += (dy * pull) / 2;
        places[b][0] -= (dx * pull) / 2;
        places[b][1] -= (dy * pull) / 2;
      }
    }
  }
  const [xs, ys] = [places.map((place) => place[0]), places.map((place) => place[1])];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const scale = 420 / Math.max(1, Math.max(...xs) - left);
  const height = (Math.max(...ys) - top) * scale + 60;
  return { height, at: new Map(names.map((name, index) => [name, [30 + (xs[index] - left) * scale, 30 + (ys[index] - top) * scale]])) };
}

/** The shortest ways between all vertices. @param {string[]} names @param {{from: string, to: string, length: number}[]} roads */
function distances(names, roads) {
  const far = names.map((a) => names.map((b) => (a === b ? 0 : Infinity)));
  for (const road of roads) {
    const [a, b] = [names.indexOf(road.from), names.indexOf(road.to)];
    far[a][b] = far[b][a] = road.length;
  }
  for (let k = 0; k < names.length; k++)
    for (let a = 0; a < names.length; a++)
      for (let b = 0; b < names.length; b++) far[a][b] = Math.min(far[a][b], far[a][k] + far[k][b]);
  return far;
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
