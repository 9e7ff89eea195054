// A view appears when it knows what it shows, so that nothing jumps while parts arrive.

import { html, useRef } from "../vendor/htm-preact.js";

/** True since the view was ready for the first time. @param {any} isReady */
export function useReady(isReady) {
  const was = useRef(false);
  was.current ||= Boolean(isReady);
  return was.current;
}

/** What stands there before. */
export const Waiting = () => html`<div class="view"><section class="stage"><h1 class="status">…</h1></section></div>`;
