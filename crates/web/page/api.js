// Asks the server. An answer is JSON; a refusal is an Error with the server's line.

/** @type {Set<(here: boolean) => void>} */
const listeners = new Set();
let isHere = true;

/** Tells whether the server answers, each time that changes. @param {(here: boolean) => void} listener */
export function onConnection(listener) {
  listeners.add(listener);
  listener(isHere);
  return () => listeners.delete(listener);
}

/** @param {boolean} here */
function connection(here) {
  if (here === isHere) return;
  isHere = here;
  listeners.forEach((listener) => listener(here));
  if (!here) retry();
}

/** Asks every second until the server is back. */
function retry() {
  setTimeout(async () => {
    try {
      await fetch("/api/catalog");
      connection(true);
    } catch {
      retry();
    }
  }, 1000);
}

/** The server did not answer. */
export class Gone extends Error {}

/**
 * @param {string} path
 * @param {{method?: string, body?: any, signal?: AbortSignal}} [how]
 * @returns {Promise<any>}
 */
export async function ask(path, { method, body, signal } = {}) {
  let response;
  try {
    response = await fetch(`/api/${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    connection(false);
    throw new Gone("the server does not answer");
  }
  connection(true);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `the server answered ${response.status}`);
  return answer;
}

/** @type {Promise<any> | undefined} */
let asked;

/** @type {any} */
let found = null;

/** All games and agents, asked for once. */
export function catalog() {
  asked ??= ask("catalog").then(
    (told) => (found = told),
    (error) => {
      asked = undefined;
      throw error;
    },
  );
  return asked;
}

/** The same if they are here already. */
export const knownCatalog = () => found;

/**
 * A position. Chance moves first if `luck` gives a seed.
 * @param {import("./address.js").Place} place
 * @param {number | null} [luck]
 */
export function position(place, luck = null) {
  return ask("position", { body: { place, luck } });
}

/**
 * Follows a search: a snapshot every now and then, at the end a report or a failure.
 * @param {number} id
 * @param {{snapshot?: (told: any) => void, report: (told: any) => void, failed: (why: string) => void}} hear
 * @returns {() => void} leaves the search, which then stops by itself
 */
export function watch(id, hear) {
  const events = new EventSource(`/api/searches/${id}/events`);
  const close = () => events.close();
  const on = (/** @type {string} */ name, /** @type {(data: any) => void} */ then) =>
    events.addEventListener(name, (event) => then(JSON.parse(/** @type {MessageEvent} */ (event).data)));
  on("snapshot", (told) => hear.snapshot?.(told));
  on("report", (told) => (close(), hear.report(told)));
  on("failed", (told) => (close(), hear.failed(told.error)));
  on("closed", () => (close(), hear.failed("the server has dropped this search")));
  events.onerror = () => {
    close();
    // Whether the server is gone or only the search, another question tells.
    ask("catalog").then(
      () => hear.failed("the connection to the search broke; start it again"),
      () => hear.failed("the server does not answer"),
    );
  };
  return close;
}

/**
 * Lets an agent think once, and gives its report. The signal stops it.
 * @param {any} body what POST /api/searches takes
 * @param {AbortSignal} signal
 * @param {(told: any) => void} [snapshot]
 */
export async function think(body, signal, snapshot) {
  const begun = await ask("searches", { body, signal });
  return new Promise((resolve, reject) => {
    const aborted = () => {
      leave();
      drop(begun.id);
      reject(new DOMException("stopped", "AbortError"));
    };
    const settled = (/** @type {() => void} */ then) => (signal.removeEventListener("abort", aborted), then());
    const leave = watch(begun.id, {
      snapshot,
      report: (told) => settled(() => resolve({ ...told, id: begun.id, agent: begun.agent })),
      failed: (why) => settled(() => reject(new Error(why))),
    });
    signal.addEventListener("abort", aborted);
    if (signal.aborted) aborted();
  });
}

/** Lets the server forget a search. @param {number} id */
export function drop(id) {
  ask(`searches/${id}`, { method: "DELETE" }).catch(() => {});
}

/**
 * Follows a stream of events: that of a study, which ends when it is left, or without a body that of a contest.
 * @param {string} path
 * @param {any} body
 * @param {AbortSignal} signal
 * @param {(event: string, told: any) => void} hear
 */
export async function follow(path, body, signal, hear) {
  let response;
  try {
    const asked = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    response = await fetch(`/api/${path}`, { ...asked, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    connection(false);
    throw new Gone("the server does not answer");
  }
  connection(true);
  if (!response.ok) throw new Error((await response.json()).error ?? `the server answered ${response.status}`);
  const reader = /** @type {ReadableStream} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const messages = text.split("\n\n");
    text = /** @type {string} */ (messages.pop());
    for (const message of messages) {
      const event = /^event: (.*)$/m.exec(message)?.[1];
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (event && data) hear(event, JSON.parse(data));
    }
  }
}
