// Tree: the search tree grows while one watches.

import { html, useEffect, useMemo, useState } from "../vendor/htm-preact.js";
import { go, placeOf } from "../address.js";
import { Board } from "../boards/index.js";
import { count, state } from "../format.js";
import { AgentField, GamePicker, Problem, useStrongest } from "../parts/controls.js";
import { Formula } from "../parts/formula.js";
import { usePosition } from "../parts/position.js";
import { Waiting, useReady } from "../parts/ready.js";
import { useSearch } from "../parts/search.js";
import { Canvas, colourOf } from "../parts/tree_canvas.js";

/** Children of a node that are drawn, the most visited first. */
const TOP = 4;

/** The tree opens by itself until so many nodes are open. */
const GROWN_MAX = 9;

/** It opens nodes with at least this share of the visits, and at least so many. */
const GROWN_SHARE = 0.01;
const GROWN_VISITS = 50;

/** A path as one text, and back. @param {string[]} path */
const keyOf = (path) => path.join(" ");
const pathOf = (/** @type {string} */ key) => (key ? key.split(" ") : []);

/** Paths in the address: "d|d d". @param {string | undefined} text */
const keysOf = (text) => (text === undefined ? [] : text.split("|"));

/** @param {{params: import("../address.js").Params}} props */
function View({ params }) {
  const place = { ...placeOf(params), resigned: false };
  const strongest = useStrongest(place.game);
  const agent = params.agent || (/^(uct|rave|flat|alphazero|gumbel)/.test(strongest) ? strongest.replace(/ simulations=\S+/, "") : "uct");
  const [grown, setGrown] = useState(/** @type {string[]} */ ([]));
  const [closed, setClosed] = useState(/** @type {string[]} */ ([]));
  const opened = useMemo(() => [...new Set(["", ...keysOf(params.open), ...grown])].filter((key) => !closed.includes(key)), [params.open, grown, closed]);
  const chosen = params.node ?? "";
  const above = pathOf(chosen).slice(0, -1);
  const view = { opened: opened.map(pathOf), levels: 1, top: TOP, node: above };
  const search = useSearch(place, agent, { view });
  const found = search.told?.found;
  const root = useMemo(() => (search.told?.trees ? built(search.told.trees, opened) : null), [search.told, opened]);
  const { shown, error } = usePosition({ ...place, moves: [...place.moves, ...pathOf(chosen)] }, null);
  const start = usePosition(place, null);
  const to = (/** @type {any} */ change, /** @type {any} */ how = {}) => go("tree", { ...params, game: place.game, ...change }, how);
  const gameKey = JSON.stringify([place, agent]);
  useEffect(() => (setGrown([]), setClosed([])), [gameKey]);
  useEffect(() => {
    if (!root || opened.length >= GROWN_MAX) return;
    const next = ripe(root, closed);
    if (next) setGrown((grown) => [...grown, next]);
  }, [search.told]);
  const toggle = (/** @type {string} */ key) => {
    if (opened.includes(key)) {
      setClosed([...closed, key]);
      to({ open: keysOf(params.open).filter((other) => other !== key).join("|") }, { replace: true });
    } else {
      setClosed(closed.filter((other) => other !== key));
      to({ open: [...keysOf(params.open), key].join("|") }, { replace: true });
    }
  };
  const closeAll = () => {
    setClosed([...new Set([...closed, ...opened.filter(Boolean)])]);
    to({ open: null }, { replace: true });
  };
  const players = start.shown?.players ?? [];
  const node = root && chosen ? findNode(root, chosen) : root;
  if (!useReady((shown || error) && (start.shown || start.error) && strongest)) return html`<${Waiting} />`;
  return html`<div class="view tree-view">
    <section class="stage wide" aria-label="Search tree">
      <h1 class="status" aria-live="polite">${start.shown ? state(start.shown) : "…"}
        <span class="thinking number">${found ? `${count(root?.pulls ?? found.simulations)} visits of the root` : ""}</span></h1>
      <div class="row buttons">
        <button type="button" class="primary" onClick=${search.isRunning ? search.stop : search.start} disabled=${!start.isCurrent || start.shown.turn !== "player"}>
          ${search.isRunning ? "Stop" : found ? "Go on" : "Start"}</button>
        <button type="button" disabled=${!node || !chosen} onClick=${() => toggle(chosen)}>${opened.includes(chosen) && chosen ? "Close the node" : "Open the node"}</button>
        <button type="button" disabled=${opened.length <= 1} onClick=${closeAll}>Close all</button>
      </div>
      <${Problem} error=${search.error ?? start.error} />
      ${root
        ? html`<${Canvas} root=${root} players=${players} chosen=${chosen} choose=${(/** @type {string} */ key) => (key === chosen && key ? toggle(key) : to({ node: key || null }, { replace: true }))} best=${found?.best} />`
        : found || search.isRunning
        ? html`<p class="empty">${found ? `${agent} grows no tree that could be shown. It has looked at ${count(found.simulations)} positions${found.best ? `; ${found.best} is best so far` : ""}.` : "The search begins."}</p>`
        : html`<p class="empty">Start lets the search grow its tree here: the most visited moves of each position, and one node for the rest.</p>`}
      <${Legend} players=${players} />
    </section>
    <section class="side" aria-label="Node">
      <${AgentField} label="Agent" agent=${agent} choose=${(/** @type {string} */ agent) => to({ agent })} />
      <h2>${chosen ? `After ${chosen}` : "The root"}</h2>
      ${shown && html`<div class="small-board"><${Board} shown=${shown} act=${null} /></div>`}
      <${Problem} error=${error} />
      <${Formula} told=${search.told?.node} action=${pathOf(chosen).at(-1)} node=${node} />
      <hr />
      <${GamePicker} game=${place.game} choose=${(/** @type {string} */ game) => to({ game, moves: null, start: null, node: null, open: null, agent: null })} />
      <button type="button" disabled=${!chosen} onClick=${() => to({ moves: [...place.moves, ...pathOf(chosen)].join(" "), node: null, open: null })}>Search from this position</button>
    </section>
  </div>`;
}

/**
 * A tree to draw from its opened parts.
 * @param {{path: string[], tree: any}[]} trees @param {string[]} opened
 */
function built(trees, opened) {
  const parts = new Map(trees.map(({ path, tree }) => [keyOf(path), tree]));
  const node = (/** @type {any} */ tree, /** @type {string[]} */ path) => {
    const key = keyOf(path);
    const part = opened.includes(key) ? parts.get(key) : undefined;
    const children = (part?.children ?? []).map((/** @type {any} */ child) => node(child, [...path, child.action]));
    const shown = children.reduce((/** @type {number} */ sum, /** @type {any} */ child) => sum + child.pulls, 0);
    const pulls = (part ?? tree).pulls;
    if (part && part.left_out > 0 && children.length > 0) {
      children.push({ key: `${key}|rest`, isRest: true, count: part.left_out, pulls: Math.max(0, pulls - shown), children: [] });
    }
    const { action, player, mean, prior, proven } = tree;
    return { key, action, player, mean, prior, proven, pulls, isOpen: part !== undefined, hasMore: tree.left_out > 0 || tree.children.length > 0, children };
  };
  const top = parts.get("");
  return top ? node(top, []) : null;
}

/** The most visited node that is drawn closed and worth opening. @param {any} root @param {string[]} closed */
function ripe(root, closed) {
  let best = null;
  const visit = (/** @type {any} */ node) => {
    const isWorth = node.pulls >= Math.max(GROWN_VISITS, root.pulls * GROWN_SHARE);
    if (!node.isRest && !node.isOpen && node.hasMore && isWorth && !closed.includes(node.key) && (!best || node.pulls > best.pulls)) best = node;
    node.children.forEach(visit);
  };
  visit(root);
  return /** @type {any} */ (best)?.key;
}

/** @param {any} root @param {string} key */
function findNode(root, key) {
  if (root.key === key) return root;
  for (const child of root.children) {
    const found = findNode(child, key);
    if (found) return found;
  }
  return null;
}

/** What size, colour, shape and ring say. @param {{players: string[]}} props */
function Legend({ players }) {
  const [first, second] = players;
  const scale = [0, 0.25, 0.5, 0.75, 1].map((value) => html`<span class="swatch" style=${{ background: colourOf(value) }}></span>`);
  return html`<p class="legend">Size: visits. Colour: ${second ? `${second} wins` : "low"} ${scale} ${second ? `${first} wins` : "high"}. Shape: ○ moved by ${first ?? "the player"}${second ? `, □ by ${second}` : ""}, ◇ by chance. Ring: prior. A click chooses, another opens or closes.</p>`;
}

/** @type {import("./index.js").View} */
export const tree = { word: "tree", title: "Tree", View };
