// The drawing of each game. A family is a file with its words; a game without one is drawn as text with a list of actions.

import { html } from "../vendor/htm-preact.js";
import { wordOf } from "../address.js";
import { FAMILIES as FOURS } from "./connect_four.js";
import { FAMILIES as DOMINOES } from "./dominoes.js";
import { FAMILIES as GO } from "./go.js";
import { FAMILIES as HEAPS } from "./heaps.js";
import { FAMILIES as HEX } from "./hex.js";
import { Buttons, FAMILIES as NUMBERS } from "./numbers.js";
import { FAMILIES as STONES } from "./stones.js";
import { FAMILIES as SUM } from "./sum.js";
import { FAMILIES as TRAVEL } from "./travel.js";

const FAMILIES = [...FOURS, ...DOMINOES, ...GO, ...HEAPS, ...HEX, ...NUMBERS, ...STONES, ...SUM, ...TRAVEL];

/** Actions that are on no board, in any game. */
const OFF_BOARD = ["pass", "taxi", "open", "blocked"];

/** @param {import("./grid.js").BoardProps} props */
function Text(props) {
  return html`<pre class="text-board" tabindex="0" aria-label="Board">${props.shown.board}</pre><${Buttons} ...${props} />`;
}

/** The board of a position. @param {import("./grid.js").BoardProps} props */
export function Board(props) {
  const family = FAMILIES.find(({ words }) => words.includes(wordOf(props.shown.game)));
  if (!family) return html`<div class="drawn"><${Text} ...${props} /></div>`;
  const off = props.shown.actions.filter((/** @type {string} */ action) => OFF_BOARD.includes(action));
  return html`<div class="drawn"><${family.Board} ...${props} />${off.length > 0 && html`<${Buttons} ...${props} only=${off} />`}</div>`;
}
