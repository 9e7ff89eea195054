// A study that a view follows: begins, stops, goes on. The server keeps nothing of it; the same request has the same course.

import { useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { follow } from "../api.js";

/**
 * @template T
 * @typedef {object} Study
 * @property {boolean} isRunning
 * @property {T | null} told what the events have added up to
 * @property {string | null} error
 * @property {(more?: Record<string, any>, isNew?: boolean) => void} start begins with what else the request says, or goes on
 * @property {() => void} stop
 */

/**
 * A study of what `body` asks for. Another body ends it and forgets what it has told.
 * @template T
 * @param {string} path @param {Record<string, any>} body
 * @param {(told: T | null, event: string, news: any) => T | null} add what an event makes of what was told
 * @returns {Study<T>}
 */
export function useStudy(path, body, add) {
  const [state, setState] = useState(/** @type {any} */ ({ isRunning: false, told: null, error: null, key: "" }));
  const leave = useRef(/** @type {AbortController | null} */ (null));
  const key = JSON.stringify(body);
  const stop = () => {
    leave.current?.abort();
    leave.current = null;
    setState((/** @type {any} */ last) => (last.isRunning ? { ...last, isRunning: false } : last));
  };
  const start = async (/** @type {Record<string, any>} */ more = {}, isNew = false) => {
    leave.current?.abort();
    const mine = (leave.current = new AbortController());
    const set = (/** @type {(last: any) => any} */ change) => mine === leave.current && setState((/** @type {any} */ last) => ({ ...last, ...change(last) }));
    set((last) => ({ isRunning: true, error: null, key, told: last.key === key && !isNew ? last.told : null }));
    try {
      await follow(path, { ...body, ...more }, mine.signal, (event, news) => {
        if (event === "failed") set(() => ({ error: news.error }));
        else set((last) => ({ told: add(last.told, event, news) }));
      });
      set(() => ({ isRunning: false }));
    } catch (error) {
      if (!mine.signal.aborted) set(() => ({ isRunning: false, error: /** @type {Error} */ (error).message }));
    }
  };
  useEffect(() => stop, [key]);
  const isMine = state.key === key;
  return { isRunning: state.isRunning && isMine, told: isMine ? state.told : null, error: isMine ? state.error : null, start, stop };
}
