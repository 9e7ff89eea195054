// The page's frame: the header, the links between views, and the view that the address names.

import { html, render, useEffect, useState } from "./vendor/htm-preact.js";
import { catalog, onConnection } from "./api.js";
import { go, readAddress, toHash } from "./address.js";
import { VIEWS } from "./views/index.js";

/** What a link to another view keeps of the state: the game and its moves. */
const KEPT = ["game", "start", "moves"];

/** @param {{address: import("./address.js").Address}} props */
function Header({ address }) {
  // On a narrow screen the links scroll.
  useEffect(() => document.querySelector(".top [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [address.view]);
  const kept = Object.fromEntries(KEPT.filter((key) => address.params[key]).map((key) => [key, address.params[key]]));
  const link = (/** @type {import("./views/index.js").View} */ view) => html`<li>
    <a href=${toHash(view.word, kept)} aria-current=${view.word === address.view ? "page" : null}>${view.title}</a>
  </li>`;
  return html`<header class="top">
    <a class="name" href="#/${VIEWS[0].word}"><img src="/page/icon.svg" alt="" width="24" height="24" />aji</a>
    <nav aria-label="Views" tabindex="0"><ul>${VIEWS.map(link)}</ul></nav>
  </header>`;
}

/** Says that the server is gone, for as long as it is. */
function Connection() {
  const [isGone, setGone] = useState(false);
  useEffect(() => onConnection((/** @type {boolean} */ here) => setGone(!here)), []);
  if (!isGone) return null;
  return html`<div class="gone" role="alert">
    The server does not answer. Start it again with <code>aji serve</code>: the page goes on by itself, and its address
    holds your game.
  </div>`;
}

function App() {
  const [address, setAddress] = useState(readAddress());
  useEffect(() => {
    const changed = () => setAddress(readAddress());
    addEventListener("hashchange", changed);
    addEventListener("aji-address", changed);
    return () => {
      removeEventListener("hashchange", changed);
      removeEventListener("aji-address", changed);
    };
  }, []);
  const view = VIEWS.find((view) => view.word === address.view);
  useEffect(() => {
    document.title = view ? `${view.title} - aji workbench` : "aji workbench";
    if (!view) go(VIEWS[0].word, {}, { replace: true });
  }, [view]);
  return html`<${Header} address=${address} />
    <${Connection} />
    <main>${view && html`<${view.View} key=${view.word} params=${address.params} />`}</main>`;
}

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
// With the list of games and agents at hand, the views appear as they will stay.
catalog().catch(() => {}).then(() => (root.replaceChildren(), render(html`<${App} />`, root)));
