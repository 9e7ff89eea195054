// A contest that a view watches. It belongs to the server: leaving it changes nothing, and coming back shows where it is.

import { useEffect, useState } from "../vendor/htm-preact.js";
import { Gone, ask, follow, onConnection } from "../api.js";

/** Milliseconds until a broken connection is tried again. */
const AGAIN = 1_000;

/**
 * @typedef {{low: number | null, high: number | null}} Interval
 * @typedef {{games: number, score: number, interval: Interval, elo: number | null, elo_interval: Interval, log_likelihood_ratio: number | null}} CoursePoint
 * @typedef {{game: string, agents: string[], opening_plies: number, repeatable?: boolean, option?: string, values?: string[]}} Plan
 * @typedef {{name: string, kind: "match" | "tournament" | "tuning", state: "running" | "stopped" | "finished", error: string | null, plan: Plan, seed: number,
 *   players: number, round_games: number, planned_games: number, games: number, points: CoursePoint[], result: any,
 *   test: {hypotheses: [number, number], bounds: {low: number, high: number}, decision: {log_likelihood_ratio: number, verdict: string} | null} | null}} Told
 */

/** The address of a contest. @param {string} name */
export const runPath = (name) => `lab/runs/${encodeURIComponent(name)}`;

/**
 * The contest of this name. It is followed until it ends; `again` asks anew.
 * @param {string} name
 * @returns {{told: Told | null, error: string | null, again: () => void}}
 */
export function useContest(name) {
  const [state, setState] = useState(/** @type {{name: string, told: Told | null, error: string | null}} */ ({ name: "", told: null, error: null }));
  const [tries, setTries] = useState(0);
  const again = () => setTries((tries) => tries + 1);
  useEffect(() => {
    const mine = new AbortController();
    let timer = 0;
    let isEnded = false;
    // Whether the server is gone or only the connection, another question tells.
    const broken = () => mine.signal.aborted || ask("catalog", { signal: mine.signal }).then(() => (timer = setTimeout(again, AGAIN)), () => {});
    const heard = (/** @type {string} */ event, /** @type {Told} */ told) => {
      isEnded = event === "ended";
      setState({ name, told, error: null });
    };
    follow(`${runPath(name)}/events`, undefined, mine.signal, heard).then(
      () => isEnded || broken(),
      (error) => {
        if (mine.signal.aborted || error instanceof Gone) return;
        if (error.name === "Error") setState((last) => ({ name, told: last.name === name ? last.told : null, error: error.message }));
        else broken();
      },
    );
    return () => (clearTimeout(timer), mine.abort());
  }, [name, tries]);
  // When the server is back, it is asked again.
  useEffect(() => {
    let isFirst = true;
    return onConnection((/** @type {boolean} */ here) => {
      if (here && !isFirst) again();
      isFirst = false;
    });
  }, []);
  const isMine = state.name === name;
  return { told: isMine ? state.told : null, error: isMine ? state.error : null, again };
}
