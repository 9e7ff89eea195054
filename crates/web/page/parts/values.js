// The value of each position of a game: from the agents' own reports, and from a short search where there is none.

import { useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { drop, think } from "../api.js";

/** The search that values a position. */
const JUDGE = "uct simulations=2000";

/** More positions than this are not valued one by one. */
const VALUED_MAX = 400;

/**
 * @param {any} shown the current position, or null while it is on its way
 * @param {import("../address.js").Place} place
 * @param {any} thought the last report of an agent that plays, with its ply
 * @returns what a value line shows, or null in games of more than two players
 */
export function useValues(shown, place, thought) {
  // By the moves that lead to a position.
  const known = useRef(/** @type {Map<string, number>} */ (new Map()));
  const [, setCount] = useState(0);
  const unit = useRef("reward");
  const moves = (shown?.moves ?? []).map((/** @type {any} */ move) => move.action);
  const key = (/** @type {number} */ ply) => `${place.game}|${place.start}|${moves.slice(0, ply).join(" ")}`;
  const mover = (/** @type {number} */ ply) => (ply < moves.length ? shown.moves[ply].by : shown.player);
  const keep = (/** @type {number} */ ply, /** @type {any} */ found) => {
    const value = valueTo0(found, mover(ply));
    if (value === null) return;
    if (found.points !== undefined) unit.current = "points";
    known.current.set(key(ply), value);
    setCount((count) => count + 1);
  };
  useEffect(() => {
    known.current.clear();
    unit.current = "reward";
  }, [place.game, place.start]);
  const isFit = shown && shown.players.length <= 2;
  useEffect(() => {
    if (!isFit || moves.length > VALUED_MAX) return;
    const stop = new AbortController();
    const work = async () => {
      // The latest first: it is what one looks at.
      for (let ply = moves.length; ply >= 0; ply--) {
        const isOver = ply === moves.length && shown.turn === "over";
        if (isOver) known.current.set(key(ply), ended(shown, unit.current));
        if (known.current.has(key(ply)) || mover(ply) === null || isOver) continue;
        const at = { ...place, moves: moves.slice(0, ply), resigned: false };
        const told = await think({ place: at, agent: JUDGE }, stop.signal);
        drop(told.id);
        keep(ply, told.found);
      }
      setCount((count) => count + 1);
    };
    work().catch(() => {});
    return () => stop.abort();
  }, [isFit, key(moves.length), shown?.turn]);
  useEffect(() => {
    // An agent's own report is worth more than the short search.
    if (isFit && thought && thought.ply < moves.length && moves[thought.ply] === thought.best) keep(thought.ply, thought);
  }, [thought, key(moves.length)]);
  if (!isFit) return null;
  const values = Array.from({ length: moves.length + 1 }, (_, ply) => known.current.get(key(ply)) ?? null);
  const points = unit.current === "points";
  const found = values.filter((value) => value !== null);
  const range = points ? [Math.min(0, ...found), Math.max(0, ...found)] : [0, 1];
  return { values, range, player: shown.players[0] };
}

/** A report's value to the first player. @param {any} found @param {number | null} mover */
function valueTo0(found, mover) {
  const { points, value } = found;
  if (points !== undefined && points !== null) return mover === 1 ? -points : points;
  if (value === undefined || value === null) return null;
  return mover === 1 ? 1 - value : value;
}

/** The value of a finished game to the first player. @param {any} shown @param {string} unit */
function ended(shown, unit) {
  const payoff = shown.payoff?.[0] ?? 0;
  if (unit === "points" || shown.players.length === 1) return payoff;
  return payoff > 0 ? 1 : payoff < 0 ? 0 : 0.5;
}
