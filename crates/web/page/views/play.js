// Play: a person against an agent, or two agents against each other, in any game.

import { html, useEffect, useRef, useState } from "../vendor/htm-preact.js";
import { drop, think } from "../api.js";
import { go, placeOf, wordOf } from "../address.js";
import { Board } from "../boards/index.js";
import { count, state, worth } from "../format.js";
import { AgentField, GamePicker, Problem, bare, isSearch, useStrongest } from "../parts/controls.js";
import { Moves } from "../parts/moves.js";
import { usePosition } from "../parts/position.js";
import { Waiting, useReady } from "../parts/ready.js";
import { SgfButtons } from "../parts/sgf.js";
import { ValueLine } from "../parts/value_line.js";
import { useValues } from "../parts/values.js";

/** The seat of a person. */
const YOU = "you";

/** Who sits where: the person first, unless the address says otherwise. @param {import("../address.js").Params} params @param {number} players @param {string} strongest */
function seatsOf(params, players, strongest) {
  return Array.from({ length: players }, (_, player) => params[`p${player}`] || (player === 0 ? YOU : strongest));
}

/** The agent that gives hints: the first that plays, or the strongest. @param {string[]} seats @param {string} strongest */
const adviser = (seats, strongest) => seats.find((seat) => seat !== YOU) || strongest;

/** @param {{params: import("../address.js").Params}} props */
function View({ params }) {
  const place = placeOf(params);
  const seed = Number(params.seed) || 1;
  const { shown, error, isCurrent } = usePosition(place, seed);
  const strongest = useStrongest(place.game);
  const seats = seatsOf(params, shown?.players.length ?? 2, strongest);
  const to = (/** @type {any} */ change, /** @type {any} */ how = {}) => go("play", { ...params, game: place.game, ...change }, how);
  const played = shown?.moves.map((/** @type {any} */ move) => move.action) ?? [];
  const isHere = isCurrent && shown.turn === "player";
  const seat = isHere ? seats[shown.player] : "";
  // Chance has moved: the address learns its moves.
  useEffect(() => {
    if (isCurrent && played.length > place.moves.length) to({ moves: played.join(" ") }, { replace: true });
  }, [isCurrent, played.join(" ")]);
  const [thought, setThought] = useState(/** @type {any} */ (null));
  const agent = useAgent({ place, seed, seat: isHere && seat !== YOU ? seat : "", by: isHere ? shown.players[shown.player] : "", key: `${played.join(" ")}|${params.paused ?? ""}`, isPaused: params.paused === "1", setThought, to });
  const [hint, askHint, isHinting] = useHint(place, played, adviser(seats, strongest));
  const values = useValues(isCurrent ? shown : null, place, thought);
  const act = isHere && seat === YOU ? (/** @type {string} */ action) => to({ moves: [...played, action].join(" ") }) : null;
  const hasPerson = seats.includes(YOU);
  const undo = () => {
    // A person takes back his own last move. Without a person it is the last move, and the agents wait.
    const isYours = (/** @type {any} */ move) => move.by !== null && (!hasPerson || seats[move.by] === YOU);
    const last = place.resigned ? played.length : Math.max(0, shown.moves.map(isYours).lastIndexOf(true));
    to({ moves: played.slice(0, last).join(" "), resigned: null, paused: hasPerson ? null : "1" });
  };
  if (!useReady((shown || error) && strongest)) return html`<${Waiting} />`;
  const fresh = { moves: null, resigned: null, start: null, seed: null, paused: null };
  return html`<div class="view play">
    <section class="stage" aria-label="Position">
      <h1 class="status" aria-live="polite">${shown ? state(shown) : "…"}${agent.isThinking && html` <span class="thinking">${seat} thinks</span>`}</h1>
      ${shown && html`<${Board} shown=${shown} act=${act} hint=${hint?.best} />`}
      <${Problem} error=${error ?? agent.error ?? hint?.error} />
      <p class="told" aria-live="polite">${tell(thought, hint, isHinting, shown)}</p>
    </section>
    <section class="side" aria-label="Game">
      <div class="row buttons">
        <button type="button" class="primary" onClick=${() => to({ ...fresh, seed: seed + 1 })}>New game</button>
        <button type="button" onClick=${undo} disabled=${!shown || (played.length === 0 && !place.resigned)}>Undo</button>
        <button type="button" onClick=${askHint} disabled=${!act || isHinting}>Hint</button>
        <button type="button" onClick=${() => to(Object.fromEntries(seats.map((_, player) => [`p${player}`, seats[(player + 1) % seats.length]])))}
          disabled=${seats.length < 2 || !strongest}>Swap sides</button>
        <button type="button" onClick=${() => to({ resigned: "1" })} disabled=${!act || seats.length !== 2}>Resign</button>
        ${!hasPerson && html`<button type="button" onClick=${() => to({ paused: params.paused === "1" ? null : "1" })}>${params.paused === "1" ? "Go on" : "Pause"}</button>`}
      </div>
      <${GamePicker} game=${place.game} choose=${(/** @type {string} */ game) => to({ ...fresh, game, p0: null, p1: null, p2: null, p3: null })} />
      <fieldset class="fields"><legend>Players</legend>
        ${shown?.players.map((/** @type {string} */ name, /** @type {number} */ player) => html`<${Seat} name=${name} player=${player}
          seat=${seats[player]} strongest=${strongest} choose=${(/** @type {string} */ seat) => to({ [`p${player}`]: seat })} />`)}
      </fieldset>
      ${values && html`<${ValueLine} ...${values} at=${played.length} />`}
      ${(shown || error) && html`<${Moves} moves=${isCurrent ? shown.moves : place.moves.map((action) => ({ action, by: null }))} set=${(/** @type {string[]} */ moves) => to({ moves: moves.join(" "), resigned: null })} />`}
      ${wordOf(place.game) === "go" && html`<${SgfButtons} place=${{ ...place, moves: played }} load=${(/** @type {any} */ read) => to({ ...fresh, ...read, p0: YOU, p1: YOU })} />`}
    </section>
  </div>`;
}

/** Who plays: a person, or an agent by its name. @param {{name: string, player: number, seat: string, strongest: string, choose: (seat: string) => void}} props */
function Seat({ name, player, seat, strongest, choose }) {
  return html`<div class=${`seat by${player}`}>
    <label class="field"><span>${name}</span>
      <select value=${seat === YOU ? YOU : "agent"} onChange=${(/** @type {any} */ event) => choose(event.target.value === YOU ? YOU : strongest)}>
        <option value=${YOU}>you</option><option value="agent">an agent</option>
      </select></label>
    ${seat !== YOU && html`<${AgentField} label=${`Agent of ${name}`} agent=${seat} choose=${(/** @type {string} */ agent) => choose(agent || strongest)} />`}
  </div>`;
}

/** An agent with the seed of the game, unless its name has one. @param {string} agent @param {number} seed */
const seeded = (agent, seed) => (/ seed=/.test(agent) ? agent : `${agent} seed=${seed}`);

/** What the last answer or hint says. @param {any} thought @param {any} hint @param {boolean} isHinting @param {any} shown */
function tell(thought, hint, isHinting, shown) {
  if (isHinting) return "thinking of a hint";
  if (hint?.best) return `Hint: ${hint.best}${hint.value === null ? "" : `, worth ${worth(hint)} to ${shown?.players[shown.player] ?? "the mover"}`}`;
  if (!thought?.best) return "";
  const value = worth(thought);
  const effort = isSearch(thought.agent) ? `${count(thought.simulations)} simulations` : "";
  return `${thought.by} played ${thought.best} (${[effort, value && `worth ${value}`].filter(Boolean).join(", ")})`;
}

/** Lets the agent whose turn it is think, and plays its move. */
function useAgent({ place, seed, seat, by, key, isPaused, setThought, to }) {
  const [state, setState] = useState(/** @type {{isThinking: boolean, error: string | null}} */ ({ isThinking: false, error: null }));
  // The search of each agent follows the game, so it keeps its tree.
  const kept = useRef(/** @type {Record<string, number>} */ ({}));
  useEffect(() => {
    if (!seat || isPaused) {
      setState({ isThinking: false, error: null });
      return;
    }
    const stop = new AbortController();
    setState({ isThinking: true, error: null });
    const answered = ({ found, id }) => {
      kept.current[seat] = id;
      setThought({ ...found, agent: seat, by, ply: place.moves.length });
      if (found.stopped === "resigned") to({ resigned: "1" }, { replace: true });
      else if (found.best) to({ moves: [...place.moves, found.best].join(" ") }, { replace: true });
      setState({ isThinking: false, error: null });
    };
    think({ place, agent: seeded(seat, seed), keep: kept.current[seat] ?? null }, stop.signal).then(answered, (error) => {
      if (error.name !== "AbortError") setState({ isThinking: false, error: error.message });
    });
    return () => stop.abort();
  }, [seat, seed, key, place.game, place.start]);
  return state;
}

/** What an agent would play here. @returns {[any, () => void, boolean]} */
function useHint(place, played, agent) {
  const [hint, setHint] = useState(/** @type {any} */ (null));
  const [isAsking, setAsking] = useState(false);
  const stop = useRef(/** @type {AbortController | null} */ (null));
  const key = JSON.stringify(place);
  useEffect(() => {
    setHint(null);
    setAsking(false);
    return () => stop.current?.abort();
  }, [key]);
  const askHint = () => {
    stop.current?.abort();
    stop.current = new AbortController();
    setAsking(true);
    think({ place: { ...place, moves: played }, agent: bare(agent) }, stop.current.signal).then(
      ({ found, id }) => {
        setHint(found);
        setAsking(false);
        drop(id);
      },
      (error) => {
        if (error.name === "AbortError") return;
        setHint({ error: error.message });
        setAsking(false);
      },
    );
  };
  return [hint, askHint, isAsking];
}

/** @type {import("./index.js").View} */
export const play = { word: "play", title: "Play", View };
