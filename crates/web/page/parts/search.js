// A search that a view runs: begins, follows, stops and goes on.

import { useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { ask, drop, watch } from "../api.js";

/**
 * @typedef {object} Search
 * @property {boolean} isRunning
 * @property {any} told the last snapshot or report: `found`, and `trees` if the view asks for them
 * @property {string} agent the whole name of the agent
 * @property {number | null} id
 * @property {string | null} error
 * @property {() => void} start begins, or goes on with what it has found here
 * @property {() => void} stop
 */

/**
 * A search of this agent at this place. While it runs it follows the place; a search that moves on keeps its tree.
 * @param {import("../address.js").Place} place @param {string} agent
 * @param {Record<string, any>} [more] what else POST /api/searches takes
 * @returns {Search}
 */
export function useSearch(place, agent, more = {}) {
  const [state, setState] = useState(/** @type {any} */ ({ isRunning: false, told: null, agent: "", error: null, key: "", id: null }));
  const id = useRef(/** @type {number | null} */ (null));
  // The search that can be looked at: none while another begins, which may replace it.
  const open = useRef(/** @type {number | null} */ (null));
  const leave = useRef(() => {});
  const turn = useRef(0);
  const key = JSON.stringify([place, agent]);
  const start = async () => {
    const mine = ++turn.current;
    leave.current();
    open.current = null;
    setState((/** @type {any} */ last) => ({ ...last, isRunning: true, error: null, told: last.key === key ? last.told : null, key }));
    const set = (/** @type {any} */ change) => mine === turn.current && setState((/** @type {any} */ last) => ({ ...last, ...change }));
    try {
      const begun = await ask("searches", { body: { place, agent, keep: id.current, until_stopped: true, ...more } });
      id.current = begun.id;
      if (mine !== turn.current) return;
      open.current = begun.id;
      set({ agent: begun.agent, id: begun.id });
      leave.current = watch(begun.id, {
        snapshot: (told) => set({ told }),
        report: (told) => set({ told, isRunning: false }),
        failed: (error) => set({ error, isRunning: false }),
      });
    } catch (error) {
      set({ error: /** @type {Error} */ (error).message, isRunning: false });
    }
  };
  const stop = () => {
    if (id.current === null) return;
    ask(`searches/${id.current}/stop`, { method: "POST" }).catch(() => {});
  };
  useEffect(() => {
    if (state.isRunning) start();
  }, [key]);
  const viewKey = JSON.stringify(more.view ?? null);
  useEffect(() => {
    if (!more.view || open.current === null) return;
    let isOld = false;
    // Between two runs the answer is what the view shows; a running search tells it with its next snapshot.
    ask(`searches/${open.current}/view`, { body: more.view }).then(
      (seen) => seen && !isOld && setState((/** @type {any} */ last) => (last.told && !last.isRunning ? { ...last, told: { ...last.told, node: null, ...seen } } : last)),
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [viewKey, state.isRunning, state.id]);
  useEffect(
    () => () => {
      turn.current++;
      leave.current();
      if (id.current !== null) drop(id.current);
    },
    [],
  );
  // What was found elsewhere says nothing about this place.
  return { ...state, told: state.key === key ? state.told : null, start, stop };
}
