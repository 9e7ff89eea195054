// The games of a contest: a list, and one game on its board, move by move.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { Gone, ask } from "../api.js";
import { toHash } from "../address.js";
import { Board } from "../boards/index.js";
import { count, state } from "../format.js";
import { runPath } from "./contest.js";
import { Problem } from "./controls.js";
import { Moves } from "./moves.js";
import { usePosition } from "./position.js";

/** Rounds of games that the list shows at a time. */
const ROUNDS = 8;

/** Who has won, and by how much. @param {number[]} payoffs @param {number[]} agents @param {(agent: number) => string} named */
function resultOf(payoffs, agents, named) {
  if (payoffs.length === 1) return `${payoffs[0]}`;
  const best = Math.max(...payoffs);
  if (payoffs.filter((payoff) => payoff === best).length > 1) return "draw";
  const by = best === 1 ? "" : ` by ${Math.round(best * 100) / 100}`;
  return `${named(agents[payoffs.indexOf(best)])} wins${by}`;
}

/** A short name: a and b of a match, else the number. @param {import("./contest.js").Told} told @returns {(agent: number) => string} */
const shortName = (told) => (agent) => (told.kind === "match" ? "ab"[agent] : told.kind === "tuning" ? told.plan.values?.[agent] ?? "as given" : `agent ${agent + 1}`);

/**
 * @param {{told: import("./contest.js").Told, params: import("../address.js").Params, to: (change: any, how?: any) => void}} props
 */
export function Games({ told, params, to }) {
  const rounds = Math.floor(told.games / told.round_games);
  const last = Math.max(0, Math.ceil(rounds / ROUNDS) - 1);
  const page = Math.min(last, Math.max(0, Number(params.page) || 0));
  const { games, error } = useGames(told, page);
  const named = shortName(told);
  const row = (/** @type {any} */ game) => {
    const word = `${game.trial}.${game.number}`;
    return html`<tr class=${params.g === word ? "best" : ""}><th scope="row"><button type="button" class="link" aria-current=${params.g === word ? "true" : null} onClick=${() => to({ g: word, ply: null })}>${game.trial + 1}.${game.number + 1}</button></th>
      <td>${game.agents.map(named).join(" – ")}</td><td>${resultOf(game.payoffs, game.agents, named)}${game.resigned !== null ? ", resigned" : ""}</td><td class="right">${count(game.plies)}</td></tr>`;
  };
  return html`<section class="games" aria-label="Games">
    <div class="scroll" tabindex="0" role="region" aria-label="List of games"><table><caption>Games</caption>
      <thead><tr><th scope="col">game</th><th scope="col">${told.players > 1 ? "who began – who answered" : "agent"}</th><th scope="col">result</th><th scope="col" class="right">plies</th></tr></thead>
      <tbody>${games.map(row)}</tbody></table></div>
    <div class="row buttons">
      <button type="button" onClick=${() => to({ page: page - 1 || null }, { replace: true })} disabled=${page === 0}>Earlier</button>
      <button type="button" onClick=${() => to({ page: page + 1 }, { replace: true })} disabled=${page >= last}>Later</button>
      <span class="told number">page ${page + 1} of ${last + 1}</span>
    </div>
    <${Problem} error=${error} />
  </section>`;
}

/** The games of a page, anew when there are more. @param {import("./contest.js").Told} told @param {number} page */
function useGames(told, page) {
  const [state, setState] = useState(/** @type {{games: any[], error: string | null}} */ ({ games: [], error: null }));
  // A page that is full changes no more, but while it is played games may end out of order.
  const seen = Math.min(told.games, (page + 1) * ROUNDS * told.round_games);
  useEffect(() => {
    let isLeft = false;
    if (seen > 0) {
      ask(`${runPath(told.name)}/games`, { body: { from: page * ROUNDS, most: ROUNDS } }).then(
        ({ games }) => isLeft || setState({ games, error: null }),
        (error) => isLeft || error instanceof Gone || setState((last) => ({ ...last, error: error.message })),
      );
    }
    return () => {
      isLeft = true;
    };
  }, [told.name, page, seen, told.state]);
  return seen > 0 ? state : { games: [], error: null };
}

/**
 * One game on its board.
 * @param {{name: string, word: string, params: import("../address.js").Params, to: (change: any, how?: any) => void}} props
 */
export function Replay({ name, word, params, to }) {
  const { game, error } = useGame(name, word);
  if (!game) return html`<section class="replay" aria-label="Game"><${Problem} error=${error} /></section>`;
  return html`<${Played} word=${word} game=${game} params=${params} to=${to} />`;
}

/** @param {{word: string, game: any, params: import("../address.js").Params, to: (change: any, how?: any) => void}} props */
function Played({ word, game, params, to }) {
  const moves = /** @type {string[]} */ (game.moves);
  const at = Math.min(params.ply === undefined ? moves.length : Number(params.ply) || 0, moves.length);
  const resigned = game.resigned !== undefined && game.resigned !== null && at === moves.length;
  const { shown, error } = usePosition({ game: game.game, start: null, moves: moves.slice(0, at), resigned }, null);
  const whole = usePosition({ game: game.game, start: null, moves, resigned: false }, null);
  const goTo = (/** @type {number} */ ply) => to({ ply: ply === moves.length ? null : ply }, { replace: true });
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -moves.length, End: moves.length }[event.key];
    if (by === undefined || /** @type {HTMLElement} */ (event.target).closest("input, .drawn")) return;
    event.preventDefault();
    goTo(Math.max(0, Math.min(moves.length, at + by)));
  };
  const [trial, number] = word.split(".").map(Number);
  return html`<section class="replay" aria-label="Game" onKeyDown=${pressed}>
    <h2>Game ${trial + 1}.${number + 1}: ${shown ? state(shown) : "…"}</h2>
    <ol class="seats">${game.agents.map((/** @type {string} */ agent, /** @type {number} */ seat) => html`<li class=${`seat by${seat}`}><span>${shown?.players[seat] ?? ""}</span> <b>${agent}</b></li>`)}</ol>
    ${shown && html`<${Board} shown=${shown} act=${null} />`}
    <${Problem} error=${error ?? whole.error} />
    <label class="field"><span>Position after move <b class="number">${at}</b> of ${moves.length}${game.opening_plies > 0 ? `; the first ${game.opening_plies} are the opening, drawn at random` : ""}</span>
      <input type="range" min="0" max=${moves.length} value=${at} onInput=${(/** @type {any} */ event) => goTo(Number(event.target.value))} /></label>
    <div class="row buttons" role="group" aria-label="Moves of the game">
      <button type="button" onClick=${() => goTo(0)} disabled=${at === 0}>First</button>
      <button type="button" onClick=${() => goTo(at - 1)} disabled=${at === 0}>Back</button>
      <button type="button" onClick=${() => goTo(at + 1)} disabled=${at >= moves.length}>Forward</button>
      <button type="button" onClick=${() => goTo(moves.length)} disabled=${at >= moves.length}>Last</button>
      <a class="button" href=${toHash("analyse", { game: game.game, moves: moves.slice(0, at).join(" ") })}>Analyse this position</a>
      <button type="button" onClick=${() => to({ g: null, ply: null })}>Close</button>
    </div>
    ${whole.shown && html`<${Moves} moves=${whole.shown.moves} at=${at} go=${goTo} />`}
  </section>`;
}

/** The moves of a game. @param {string} name @param {string} word */
function useGame(name, word) {
  const [state, setState] = useState(/** @type {{key: string, game: any, error: string | null}} */ ({ key: "", game: null, error: null }));
  const key = `${name}/${word}`;
  useEffect(() => {
    let isLeft = false;
    const [trial, number] = word.split(".");
    ask(`${runPath(name)}/games/${encodeURIComponent(trial)}/${encodeURIComponent(number ?? "")}`).then(
      (game) => isLeft || setState({ key, game, error: null }),
      (error) => isLeft || error instanceof Gone || setState({ key, game: null, error: error.message }),
    );
    return () => {
      isLeft = true;
    };
  }, [key]);
  return state.key === key ? state : { game: null, error: null };
}
