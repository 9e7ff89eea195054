// The moves of a game: a list to walk through, and a text to copy or to replace.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { movesOf } from "../address.js";

/**
 * @param {{moves: {action: string, by: number | null}[], at?: number, go?: (ply: number) => void, set?: (moves: string[]) => void}} props
 * Without `set` the moves cannot be replaced.
 */
export function Moves({ moves, at, go, set }) {
  const whole = moves.map(({ action }) => action).join(" ");
  const [text, setText] = useState(whole);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => (setText(whole), setCopied(false)), [whole]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(whole);
      setCopied(true);
    } catch {
      field.current?.select();
    }
  };
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const now = at ?? moves.length;
  const move = (/** @type {{action: string, by: number | null}} */ { action, by }, /** @type {number} */ index) => html`<li>
    <button type="button" class=${`move ${by === null ? "chance" : `by${by}`}`} aria-current=${now === index + 1 ? "step" : null}
      disabled=${!go} onClick=${() => go?.(index + 1)}>${action}</button></li>`;
  return html`<section class="moves" aria-label="Moves">
    <ol class="move-list" tabindex="0" aria-label="Moves played">${moves.map(move)}</ol>
    <form class="row" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), set?.(movesOf(text)))}>
      <label class="field grow"><span>Moves as text</span>
        <input ref=${field} value=${text} readonly=${!set} onInput=${(/** @type {any} */ event) => setText(event.target.value)} spellcheck="false" autocomplete="off" /></label>
      ${text.trim() === whole
        ? html`<button type="button" onClick=${copy} disabled=${!whole}>${isCopied ? "Copied" : "Copy"}</button>`
        : html`<button type="submit">Set</button>`}
    </form>
  </section>`;
}
