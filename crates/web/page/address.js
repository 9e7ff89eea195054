// The address holds the state: #/play?game=connect-four&moves=d+d. A link reopens what it shows.

/**
 * @typedef {Record<string, string>} Params
 * @typedef {{view: string, params: Params}} Address
 * @typedef {{game: string, start: string | null, moves: string[], resigned?: boolean}} Place
 */

/** @returns {Address} */
export function readAddress() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: path, params: Object.fromEntries(new URLSearchParams(query ?? "")) };
}

/**
 * The address of a view with these parameters; empty ones are left out.
 * @param {string} view
 * @param {Record<string, string | number | boolean | null | undefined>} params
 */
export function toHash(view, params) {
  const given = Object.entries(params).filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false);
  const query = new URLSearchParams(given.map(([key, value]) => [key, value === true ? "1" : String(value)])).toString();
  return `#/${view}${query && "?" + query}`;
}

/**
 * Goes to another address. `replace` leaves no step in the browser's history.
 * @param {string} view
 * @param {Record<string, any>} params
 * @param {{replace?: boolean}} [how]
 */
export function go(view, params, how = {}) {
  const hash = toHash(view, params);
  if (hash === location.hash) return;
  history[how.replace ? "replaceState" : "pushState"](null, "", hash);
  dispatchEvent(new Event("aji-address"));
}

/**
 * The position that parameters name.
 * @param {Params} params
 * @returns {Place}
 */
export function placeOf(params) {
  return {
    game: params.game || "connect-four",
    start: params.start || null,
    moves: movesOf(params.moves),
    resigned: params.resigned === "1",
  };
}

/** @param {string | undefined} text */
export function movesOf(text) {
  return (text ?? "").split(/[\s,]+/).filter(Boolean);
}

/** The word of a game's name. @param {string} game */
export function wordOf(game) {
  return game.trim().split(/\s+/)[0];
}
