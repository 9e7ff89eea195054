// Expressions in combinatorial games: canonical form, numbers, thermograph, and how two games compare.

import { html } from "../vendor/htm-preact.js";
import { Problem } from "./controls.js";
import { Waiting, useReady } from "./ready.js";
import { Form, GameNumbers, ReachedStates, TextField, useAnswer } from "./sums_value.js";
import { ThermographPicture } from "./thermograph.js";

const EXAMPLES = ["{3|-1||-7}", "{3|-1} + +-5", "{0||0|-2} + *", "^ + *2", "1/2 + {1|*}", "3.{2|-1}", "cool({7|-3}, 2)", "{3|-1} + +-5 > *"];

/** What each sign of a comparison says. @type {Record<string, string>} */
const RELATIONS = { ">": "is greater than", "<": "is less than", "=": "equals", "||": "is confused with" };

/** @param {{params: import("../address.js").Params, to: (change: any, how?: any) => void, kinds: any}} props */
export function Expression({ params, to, kinds }) {
  const text = params.expression ?? EXAMPLES[0];
  const other = params.with ?? "";
  const { told, error, isAsking } = useAnswer("sums/expression", text.trim() ? { expression: text } : null);
  const compared = useAnswer("sums/expression", told?.game && !isAsking && other.trim() ? { expression: `(${text}) ? (${other})` } : null);
  const states = useAnswer("sums/expression/states", text.trim() ? { expression: text } : null);
  if (!useReady((told && (!told.game || states.told || states.error)) || error || !text.trim())) return html`<${Waiting} />`;
  const game = told?.game;
  return html`<div class="view sums">
    ${kinds}
    <section class="stage" aria-label="Value and thermograph">
      <h1 class="status value" aria-live="polite">${told ? html`${told.kind}: <${Form} text=${told.value} />` : isAsking ? "Computes…" : "An expression"}</h1>
      ${game ? html`<${ThermographPicture} graph=${game.graph} of=${text} /><${ReachedStates} answer=${states} of=${text} open=${(/** @type {string} */ expression) => to({ expression })} />` : html`<div class="empty">${told ? "A value that is no game has no thermograph." : "The thermograph stands here."}</div>`}
    </section>
    <section class="side" aria-label="The expression">
      <${TextField} label="Expression" note="games, sums, comparisons, functions" value=${text} set=${(/** @type {string} */ expression) => to({ expression }, { replace: true })} />
      <label class="field"><span>Examples</span><select value="" onChange=${(/** @type {any} */ event) => (to({ expression: event.target.value }), (event.target.value = ""))}>
        <option value="" disabled>choose an example</option>${EXAMPLES.map((example) => html`<option value=${example}>${example}</option>`)}</select></label>
      <${TextField} label="Compare with" note="another game" value=${other} set=${(/** @type {string} */ other) => to({ with: other || null }, { replace: true })} />
      <p class="told" role="status">${compared.told && html`<${Form} text=${text} /> ${RELATIONS[compared.told.value] ?? compared.told.value} <${Form} text=${other} />`}</p>
      <${Problem} error=${error ?? compared.error} />
      ${game && html`<${GameNumbers} game=${game} />`}
      <details><summary>How to write games</summary><p class="rules">
        Games: 3, -3/4, * and *2, ^ (up) and v (down), +-5, <code>{0,*|1}</code>, <code>{3|-1||-7}</code> where || binds less than |. Operators: G + H, G - H, -G, 3.G.
        Comparisons: ${"> < >= <= = ||"} and ?, which says which of them holds. Functions: canon, mean, temp, cool(G, t), heat(G, t), left_stop, right_stop, birthday, outcome,
        left_incentives, right_incentives.</p></details>
    </section>
  </div>`;
}
