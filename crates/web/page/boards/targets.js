// What can be clicked on a board: buttons in SVG, of which the tab key reaches one and the arrow keys the others.

import { html, useRef, useState } from "../vendor/htm-preact.js";

/**
 * @typedef {object} Target
 * @property {string} key
 * @property {string} label what it does, for screen readers
 * @property {number} x the middle, for the arrow keys
 * @property {number} y
 * @property {any} area the shape that is clicked
 * @property {() => void} run
 * @property {boolean} [pressed] whether it is chosen as the first part of a move
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest target in a direction. What lies sideways counts more.
 * @param {Target[]} targets @param {Target} from @param {[number, number]} direction
 */
function next(targets, from, [dx, dy]) {
  let best = null;
  let least = Infinity;
  for (const target of targets) {
    const [x, y] = [target.x - from.x, target.y - from.y];
    const ahead = x * dx + y * dy;
    const distance = ahead + 3 * Math.abs(x * dy - y * dx);
    if (ahead > 0.5 && distance < least) [best, least] = [target, distance];
  }
  return best;
}

/** @param {{targets: Target[]}} props */
export function Targets({ targets }) {
  const [at, setAt] = useState(/** @type {string | null} */ (null));
  const layer = useRef(/** @type {SVGGElement | null} */ (null));
  const current = targets.find((target) => target.key === at) ?? targets[0];
  /** @param {KeyboardEvent} event @param {Target} target */
  const pressed = (event, target) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      target.run();
    } else if (ARROWS[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      const to = next(targets, target, ARROWS[event.key]);
      if (!to) return;
      setAt(to.key);
      /** @type {any} */ (layer.current?.querySelector(`[data-key="${CSS.escape(to.key)}"]`))?.focus();
    }
  };
  return html`<g ref=${layer}>
    ${targets.map(
      (target) => html`<g
        key=${target.key}
        class="target"
        role="button"
        aria-label=${target.label}
        aria-pressed=${target.pressed === undefined ? null : String(target.pressed)}
        data-key=${target.key}
        tabindex=${target === current ? 0 : -1}
        onClick=${() => (setAt(target.key), target.run())}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => pressed(event, target)}
      >
        ${target.area}
      </g>`,
    )}
  </g>`;
}

/** How much a small board grows, and how wide a large one gets. */
const LARGEST = 2;
const WIDEST = 640;

/**
 * The drawing of a board: a group of buttons, or a picture if nothing can be clicked.
 * @param {{width: number, height: number, label: string, targets: Target[], children?: any, class?: string}} props
 */
export function Drawing({ width, height, label, targets, children, class: kind }) {
  const role = targets.length > 0 ? "group" : "img";
  return html`<svg class=${`board ${kind ?? ""}`} viewBox=${`0 0 ${width} ${height}`} role=${role} aria-label=${label}
    style=${{ aspectRatio: `${width} / ${height}`, maxWidth: `${Math.min(width * LARGEST, WIDEST)}px` }}>
    ${children}<${Targets} targets=${targets} />
  </svg>`;
}
