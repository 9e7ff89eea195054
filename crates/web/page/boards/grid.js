// Boards of cells: what all of them share. A family says how large it is, what its cells are called, and how a piece looks.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { Drawing } from "./targets.js";

/** The side of a cell. */
export const CELL = 40;

/** The room for coordinates around the cells. */
export const MARGIN = 22;

/**
 * @typedef {object} Mark what a search knows of an action
 * @property {number} share of the visits, 0 to 1
 * @property {string} mean
 * @property {boolean} best
 *
 * @typedef {object} BoardProps
 * @property {any} shown the position, as the server gives it
 * @property {((action: string) => void) | null} act plays an action; null if nobody may
 * @property {Map<string, Mark> | null} [marks]
 * @property {string | null} [hint] an action to point at
 *
 * @typedef {object} Look how a family looks
 * @property {string[][]} cells pieces by row, from the top
 * @property {(column: number, row: number) => string} name
 * @property {(column: number, row: number) => [number, number]} [centre]
 * @property {(piece: string, x: number, y: number) => any} piece
 * @property {any} [backdrop]
 * @property {any} [front] drawn above the pieces
 * @property {(x: number, y: number) => any} [area] the shape of a cell
 * @property {[number, number]} [size]
 * @property {number} [rowShift] from the first cell of a row to its number
 * @property {string} [kind] a class for the style
 */

/** The rows of a position's first word, as pieces. @param {string} text */
export const rowsOf = (text) => text.split(" ")[0].split("/").map((row) => [...row]);

/** a, b, c... @param {number} count */
export const letters = (count) => Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index));

/** Cell names with a1 at the lower left. @param {number} rows */
export const fromBelow = (rows) => (/** @type {number} */ column, /** @type {number} */ row) =>
  String.fromCharCode(97 + column) + (rows - row);

/** Cell names with a1 at the upper left. */
export const fromAbove = () => (/** @type {number} */ column, /** @type {number} */ row) =>
  String.fromCharCode(97 + column) + (row + 1);

/** The cells that an action names: one or two. @param {string} action */
export function cellsOf(action) {
  const found = /^([a-z]\d+)-?([a-z]\d+)?$/i.exec(action);
  return found ? [found[1], found[2]].filter(Boolean) : [];
}

/** The middle of a square cell. @param {number} column @param {number} row @returns {[number, number]} */
const squareCentre = (column, row) => [MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL];

/** A square cell. @param {number} x @param {number} y */
const squareArea = (x, y) => html`<rect x=${x - CELL / 2 + 1} y=${y - CELL / 2 + 1} width=${CELL - 2} height=${CELL - 2} rx="3" />`;

/** @param {Look} look */
function placed(look) {
  const centre = look.centre ?? squareCentre;
  /** @type {Map<string, [number, number]>} */
  const places = new Map();
  look.cells.forEach((row, r) => row.forEach((_, c) => places.set(look.name(c, r), centre(c, r))));
  return places;
}

/** The size of the drawing. @param {Look} look @returns {[number, number]} */
const sizeOf = (look) =>
  look.size ?? [look.cells[0].length * CELL + 2 * MARGIN, look.cells.length * CELL + 2 * MARGIN];

/** @param {BoardProps & {look: Look}} props */
export function Grid({ look, shown, act, marks, hint }) {
  const [from, setFrom] = useState(/** @type {string | null} */ (null));
  useEffect(() => setFrom(null), [shown.text, act === null]);
  const places = placed(look);
  const [width, height] = sizeOf(look);
  const last = shown.moves.at(-1)?.action;
  const targets = act ? targetsOf(look, places, shown.actions, act, from, setFrom) : [];
  const pieces = look.cells.flatMap((row, r) =>
    row.map((piece, c) => {
      const name = look.name(c, r);
      const [x, y] = /** @type {[number, number]} */ (places.get(name));
      return look.piece(piece, x, y);
    }),
  );
  return html`<${Drawing} width=${width} height=${height} label=${`Board: ${shown.text}`} targets=${targets} class=${look.kind}>
    ${look.backdrop ?? squares(look, places)} ${coordinates(look, places, height)} ${pieces} ${look.front}
    ${last && lastMove(look, places, last)} ${marks && markings(places, marks)} ${hint && pointer(places, hint)}
  <//>`;
}

/**
 * @param {Look} look @param {Map<string, [number, number]>} places @param {string[]} actions
 * @param {(action: string) => void} act @param {string | null} from @param {(cell: string | null) => void} setFrom
 */
function targetsOf(look, places, actions, act, from, setFrom) {
  const area = look.area ?? squareArea;
  /** @type {Map<string, import("./targets.js").Target>} */
  const targets = new Map();
  const add = (/** @type {string} */ cell, /** @type {string} */ label, /** @type {() => void} */ run, /** @type {boolean} */ pressed = undefined) => {
    const place = places.get(cell);
    if (!place || targets.has(cell)) return;
    targets.set(cell, { key: cell, label, x: place[0], y: place[1], area: area(...place), run, pressed });
  };
  for (const action of actions) {
    const [first, second] = cellsOf(action);
    if (first && !second) add(first, `play ${action}`, () => act(action));
    if (first && second && from === first) add(second, `to ${second}`, () => act(action));
    if (first && second && from === second && !startsAt(actions, second)) add(first, `to ${first}`, () => act(action));
  }
  for (const action of actions) {
    const [first, second] = cellsOf(action);
    if (!second) continue;
    const choose = (/** @type {string} */ cell) => add(cell, `from ${cell}`, () => setFrom(cell === from ? null : cell), cell === from);
    choose(first);
    // A domino has no first cell.
    if (!startsAt(actions, second) && look.kind?.includes("dominoes")) choose(second);
  }
  return [...targets.values()];
}

/** @param {string[]} actions @param {string} cell */
const startsAt = (actions, cell) => actions.some((action) => cellsOf(action)[0] === cell && cellsOf(action)[1]);

/** @param {Look} look @param {Map<string, [number, number]>} places */
function squares(look, places) {
  const dark = (/** @type {number} */ c, /** @type {number} */ r) => ((c + r) % 2 ? "dark" : "");
  return look.cells.flatMap((row, r) =>
    row.map((_, c) => {
      const [x, y] = /** @type {[number, number]} */ (places.get(look.name(c, r)));
      return html`<rect class=${`cell ${dark(c, r)}`} x=${x - CELL / 2} y=${y - CELL / 2} width=${CELL} height=${CELL} />`;
    }),
  );
}

/** Names of columns below, of rows on the left. @param {Look} look @param {Map<string, [number, number]>} places @param {number} height */
function coordinates(look, places, height) {
  const rows = look.cells.length;
  const at = (/** @type {number} */ c, /** @type {number} */ r) => /** @type {[number, number]} */ (places.get(look.name(c, r)));
  const column = (/** @type {any} */ _, /** @type {number} */ c) => {
    const name = look.name(c, rows - 1).replace(/\d+/, "");
    return html`<text class="coordinate" x=${at(c, rows - 1)[0]} y=${height - 7}>${name}</text>`;
  };
  const row = (/** @type {any} */ _, /** @type {number} */ r) => {
    const [x, y] = at(0, r);
    return html`<text class="coordinate" x=${x - CELL / 2 - (look.rowShift ?? 10)} y=${y + 4}>${look.name(0, r).replace(/^\D+/, "")}</text>`;
  };
  return [look.cells[0].map(column), look.cells.map(row)];
}

/** @param {Look} look @param {Map<string, [number, number]>} places @param {string} action */
function lastMove(look, places, action) {
  return cellsOf(action).map((cell) => {
    const place = places.get(cell);
    return place && html`<circle class="last" cx=${place[0]} cy=${place[1]} r="5" />`;
  });
}

/** The actions that get numbers on the board. */
const NUMBERED_MAX = 12;

/** Shares of visits and means, on the cells themselves. @param {Map<string, [number, number]>} places @param {Map<string, Mark>} marks */
function markings(places, marks) {
  const known = [...marks].filter(([, mark]) => mark.share >= 0.005).slice(0, NUMBERED_MAX);
  return known.map(([action, mark]) => {
    const [first, second] = cellsOf(action).map((cell) => places.get(cell));
    const kind = `mark ${mark.best ? "best" : ""}`;
    if (first && second) {
      return html`<line class=${kind} x1=${first[0]} y1=${first[1]} x2=${second[0]} y2=${second[1]}
        stroke-width=${2 + 12 * Math.sqrt(mark.share)} />`;
    }
    if (!first) return null;
    const [x, y] = first;
    return html`<g class=${kind}>
      <circle cx=${x} cy=${y} r=${6 + 13 * Math.sqrt(mark.share)} />
      <text x=${x} y=${y - 1}>${Math.round(mark.share * 100)}%</text><text class="mean" x=${x} y=${y + 10}>${mark.mean}</text>
    </g>`;
  });
}

/** @param {Map<string, [number, number]>} places @param {string} hint */
function pointer(places, hint) {
  const [first, second] = cellsOf(hint).map((cell) => places.get(cell));
  if (first && second) {
    return html`<line class="hint" x1=${first[0]} y1=${first[1]} x2=${second[0]} y2=${second[1]} stroke-width="5" />`;
  }
  return first && html`<circle class="hint" cx=${first[0]} cy=${first[1]} r=${CELL * 0.42} />`;
}
