// Games of Go as files in the Smart Game Format.

import { html, useRef, useState } from "../vendor/htm-preact.js";
import { ask } from "../api.js";
import { Problem } from "./controls.js";

/**
 * @param {{place: import("../address.js").Place, load: (read: {game: string, start: string | null, moves: string}) => void}} props
 */
export function SgfButtons({ place, load }) {
  const [error, setError] = useState(/** @type {string | null} */ (null));
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const save = async () => {
    try {
      const { sgf } = await ask("sgf/write", { body: place });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([sgf], { type: "application/x-go-sgf" }));
      link.download = "game.sgf";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      setError(null);
    } catch (error) {
      setError(/** @type {Error} */ (error).message);
    }
  };
  const read = async (/** @type {any} */ event) => {
    const [chosen] = event.target.files;
    if (!chosen) return;
    try {
      const { game, start, moves } = await ask("sgf/read", { body: { sgf: await chosen.text() } });
      setError(null);
      load({ game, start, moves: moves.join(" ") });
    } catch (error) {
      setError(/** @type {Error} */ (error).message);
    }
    event.target.value = "";
  };
  return html`<div class="row buttons">
      <button type="button" onClick=${save}>Save SGF</button>
      <button type="button" onClick=${() => file.current?.click()}>Load SGF</button>
      <input ref=${file} type="file" accept=".sgf" hidden aria-label="SGF file" onChange=${read} />
    </div>
    <${Problem} error=${error} />`;
}
