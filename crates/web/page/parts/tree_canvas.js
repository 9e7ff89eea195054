// Draws a tree: layout by d3-hierarchy, pan and zoom by hand.

import { html, useLayoutEffect, useMemo, useRef, useState } from "../vendor/htm-preact.js";
import { hierarchy, tree as tidy } from "../vendor/d3-hierarchy.js";
import { Targets } from "../boards/targets.js";
import { short } from "../format.js";

/** From one level to the next, and from one node to its neighbour. */
const LEVEL = 112;
const BESIDE = 25;

/** The radius of a node: the least, and what all visits add. */
const R_MIN = 4;
const R_MORE = 12;

/** The view's width in its own units: that of the page, so that text keeps its size, within these. */
const WIDTH_MIN = 340;
const WIDTH_MAX = 720;

/** Its height: less than its width where there is room beside it, more on a phone. @param {number} width */
const heightOf = (width) => Math.max(420, Math.round((width * 2) / 3));

/** About the width of a letter, in the same units. */
const LETTER = 6.2;

const ZOOM = 1.2;

/** A pointer that moves farther than this drags the tree, and chooses nothing. */
const CLICK_MAX = 6;

/** The colour of a value to the first player, 0 to 1: neutral in the middle. @param {number | null | undefined} value */
export function colourOf(value) {
  if (value === null || value === undefined) return "var(--neutral)";
  const share = Math.round(Math.min(1, Math.abs(value - 0.5) * 2.4) * 100);
  return `color-mix(in oklab, var(${value >= 0.5 ? "--p0" : "--p1"}) ${share}%, var(--neutral))`;
}

/** A node's value to the first player. @param {any} node @param {string[]} players */
export const valueTo0 = (node, players) => {
  if (node.mean === null || node.mean === undefined) return null;
  const mover = players.findIndex((name) => node.player?.startsWith(name));
  return mover === 1 && players.length === 2 ? 1 - node.mean : node.mean;
};

/** @param {any} node @param {string[]} players @param {number} r @param {string} fill @param {number} ring */
function shape(node, players, r, fill, ring) {
  const style = { fill, strokeWidth: ring };
  if (node.isRest) return html`<circle class="rest" r="5" />`;
  if (node.player === "chance") return html`<path d=${`M0 ${-r * 1.2}L${r * 1.2} 0L0 ${r * 1.2}L${-r * 1.2} 0Z`} style=${style} />`;
  if (players.length === 2 && node.player?.startsWith(players[1])) return html`<rect x=${-r} y=${-r} width=${2 * r} height=${2 * r} rx="2" style=${style} />`;
  return html`<circle r=${r} style=${style} />`;
}

/**
 * @param {{root: any, players: string[], chosen: string, choose: (key: string) => void, best?: string}} props
 */
export function Canvas({ root, players, chosen, choose, best }) {
  // Nodes keep the order in which they came, so that the layout stays while numbers change.
  const order = useRef(/** @type {Map<string, number>} */ (new Map()));
  // None: the whole tree is in view, also while it grows.
  const [ownLook, setLook] = useState(/** @type {{x: number, y: number, k: number} | null} */ (null));
  // Where the pointers are that are down: one drags the tree, two zoom it.
  const down = useRef(/** @type {Map<number, number[]>} */ (new Map()));
  // How far they have moved since the first went down.
  const way = useRef(0);
  const placed = useMemo(() => laidOut(root, order.current), [root]);
  const box = useRef(/** @type {SVGSVGElement | null} */ (null));
  const nodes = placed.descendants();
  const width = useWidth(box);
  const height = heightOf(width);
  const look = ownLook ?? whole(nodes, width, height);
  const zoom = (/** @type {number} */ by, /** @type {number} */ x = width / 2, /** @type {number} */ y = height / 2) =>
    setLook((own) => {
      const { x: left, y: top, k } = own ?? look;
      const next = Math.min(4, Math.max(0.2, k * by));
      return { x: x - ((x - left) * next) / k, y: y - ((y - top) * next) / k, k: next };
    });
  const at = (/** @type {MouseEvent} */ event) => {
    const bounds = /** @type {SVGSVGElement} */ (box.current).getBoundingClientRect();
    return [((event.clientX - bounds.left) * width) / bounds.width, ((event.clientY - bounds.top) * height) / bounds.height];
  };
  const rolled = (/** @type {WheelEvent} */ event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, ...at(event));
  };
  const moved = (/** @type {PointerEvent} */ event) => {
    const pointers = down.current;
    if (!pointers.has(event.pointerId)) return;
    const before = held([...pointers.values()]);
    pointers.set(event.pointerId, at(event));
    const after = held([...pointers.values()]);
    const [right, lower] = [after.x - before.x, after.y - before.y];
    const by = before.apart > 0 ? after.apart / before.apart : 1;
    way.current += Math.abs(right) + Math.abs(lower) + Math.abs(after.apart - before.apart);
    if (right !== 0 || lower !== 0) setLook((own) => ({ ...(own ?? look), x: (own ?? look).x + right, y: (own ?? look).y + lower }));
    if (by !== 1) zoom(by, after.x, after.y);
  };
  const put = (/** @type {PointerEvent} */ event) => {
    if (down.current.size === 0) way.current = 0;
    if (down.current.size < 2) down.current.set(event.pointerId, at(event));
  };
  const lifted = (/** @type {PointerEvent} */ event) => void down.current.delete(event.pointerId);
  const targets = nodes.filter((node) => !node.data.isRest).map((node) => target(node, radius(node.data, root), chosen, choose));
  return html`<div class="canvas">
    <div class="zoom" role="group" aria-label="Zoom">
      <button type="button" aria-label="Zoom in" onClick=${() => zoom(ZOOM)}>+</button>
      <button type="button" aria-label="Zoom out" onClick=${() => zoom(1 / ZOOM)}>−</button>
      <button type="button" onClick=${() => setLook(null)}>Fit</button>
    </div>
    <svg ref=${box} viewBox=${`0 0 ${width} ${height}`} style=${{ aspectRatio: `${width} / ${height}` }} role="group" aria-label="Search tree" onWheel=${rolled} onPointerMove=${moved}
      onPointerDown=${put}
      onClickCapture=${(/** @type {MouseEvent} */ event) => way.current > CLICK_MAX && event.stopPropagation()}
      onPointerUp=${lifted} onPointerCancel=${lifted} onPointerLeave=${lifted}>
      <g transform=${`translate(${look.x} ${look.y}) scale(${look.k})`}>
        ${nodes.filter((node) => node.parent).map((node) => link(node, root))}
        ${nodes.map((node) => drawn(node, root, players, chosen, best))}
        <${Targets} targets=${targets} />
      </g>
    </svg>
  </div>`;
}

/** The middle of one or two pointers, and how far apart they are. @param {number[][]} places */
function held(places) {
  const [[x, y], [otherX, otherY]] = [places[0], places[1] ?? places[0]];
  return { x: (x + otherX) / 2, y: (y + otherY) / 2, apart: Math.hypot(x - otherX, y - otherY) };
}

/** The width of an element in the view's units. It follows the window. @param {{current: Element | null}} box */
function useWidth(box) {
  const [width, setWidth] = useState(WIDTH_MAX);
  useLayoutEffect(() => {
    const measured = () => setWidth(Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, box.current?.clientWidth ?? 0))));
    measured();
    const observer = new ResizeObserver(measured);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** The least scale at which the text can be read. */
const SCALE_MIN = 0.6;

/** Where all nodes are in view, or as many as can be read. @param {any[]} nodes @param {number} width @param {number} height */
function whole(nodes, width, height) {
  const [xs, ys] = [nodes.map((node) => node.y), nodes.map((node) => node.x)];
  const [left, right, top, bottom] = [Math.min(...xs) - 24, Math.max(...xs) + 90, Math.min(...ys) - 20, Math.max(...ys) + 20];
  const k = Math.max(SCALE_MIN, Math.min(1.3, width / (right - left), height / (bottom - top)));
  return { x: -k * left + Math.max(0, (width - k * (right - left)) / 2), y: height / 2 - (k * (top + bottom)) / 2, k };
}

/** @param {any} root @param {Map<string, number>} order */
function laidOut(root, order) {
  const data = hierarchy(root, (node) => node.children);
  data.each((node) => void (order.has(node.data.key) || order.set(node.data.key, order.size)));
  // The rest stands last.
  const rank = (/** @type {any} */ node) => (node.data.isRest ? Infinity : order.get(node.data.key));
  data.sort((a, b) => rank(a) - rank(b));
  return tidy().nodeSize([BESIDE, LEVEL])(data);
}

/** @param {any} node @param {any} root */
const radius = (node, root) => R_MIN + R_MORE * Math.sqrt(node.pulls / Math.max(1, root.pulls));

/** @param {any} node @param {any} root */
function link(node, root) {
  const { x, y, parent } = node;
  const middle = (parent.y + y) / 2;
  const width = 0.8 + 7 * Math.sqrt(node.data.pulls / Math.max(1, root.pulls));
  return html`<path key=${`link ${node.data.key}`} class="link" d=${`M${parent.y} ${parent.x}C${middle} ${parent.x} ${middle} ${x} ${y} ${x}`} style=${{ strokeWidth: width }} />`;
}

/** A node's name, and its numbers. @param {any} data @returns {[string, string]} */
function textOf(data) {
  if (data.isRest) return [`${data.count} more`, short(data.pulls)];
  const mean = data.mean === null || data.mean === undefined ? "" : ` ${data.mean.toFixed(2)}`;
  return [data.action ?? "", `${short(data.pulls)}${mean}${data.proven ? " ✓" : ""}`];
}

/** @param {any} node @param {any} root @param {string[]} players @param {string} chosen @param {string | undefined} best */
function drawn(node, root, players, chosen, best) {
  const { data, x, y } = node;
  const r = radius(data, root);
  const [label, numbers] = textOf(data);
  const kind = ["node", data.key === chosen && "chosen", data.action && data.key === best && "best", data.proven && "proven"].filter(Boolean).join(" ");
  const ring = data.prior === undefined ? 1 : 1 + 6 * data.prior;
  return html`<g key=${data.key} class=${kind} transform=${`translate(${y} ${x})`}>
    ${shape(data, players, r, colourOf(valueTo0(data, players)), ring)}
    <text x=${r + 5} y="4">${label}<tspan class="faint" dx="5">${numbers}</tspan></text>
    ${data.hasMore && !data.isOpen && html`<text class="more" y=${3.5}>+</text>`}
  </g>`;
}

/** @param {any} node @param {number} r @param {string} chosen @param {(key: string) => void} choose @returns {import("../boards/targets.js").Target} */
function target({ data, x, y }, r, chosen, choose) {
  const mean = data.mean === null || data.mean === undefined ? "" : `, mean ${data.mean.toFixed(2)}`;
  const label = `${data.key || "root"}: ${data.pulls} visits${mean}${data.isOpen ? ", open" : ""}`;
  const letters = textOf(data).join(" ").length;
  const area = html`<rect x=${y - r - 3} y=${x - 13} width=${2 * r + 12 + letters * LETTER} height="26" rx="6" />`;
  return { key: `node ${data.key}`, label, x: y, y: x, area, run: () => choose(data.key), pressed: data.key === chosen };
}
