// What the lab has: contests with their journals, and reports of papers.

import { html, useEffect, useState } from "../vendor/htm-preact.js";
import { Gone, ask, onConnection } from "../api.js";
import { toHash } from "../address.js";
import { count } from "../format.js";
import { Problem } from "./controls.js";

/** Milliseconds between two looks while contests are played. */
const LOOK = 2_000;

const WHEN = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** What the lab has, and why it cannot be told. */
export function useLab() {
  const [state, setState] = useState(/** @type {{lab: any, error: string | null}} */ ({ lab: null, error: null }));
  useEffect(() => {
    let timer = 0;
    let isLeft = false;
    const look = () => {
      clearTimeout(timer);
      ask("lab").then(
        (lab) => {
          if (isLeft) return;
          setState({ lab, error: null });
          if (lab.contests.some((/** @type {any} */ entry) => entry.contest?.is_running)) timer = setTimeout(look, LOOK);
        },
        (error) => isLeft || error instanceof Gone || setState((last) => ({ ...last, error: error.message })),
      );
    };
    const leave = onConnection((/** @type {boolean} */ here) => here && look());
    return () => ((isLeft = true), clearTimeout(timer), leave());
  }, []);
  return state;
}

/** The contests of the list. @param {{lab: any, error: string | null}} props */
export function Contests({ lab, error }) {
  const entries = lab?.contests ?? [];
  return html`<${Problem} error=${error} />
    ${lab && entries.length === 0 && html`<div class="empty"><p>No contest yet. The form starts the first.<br />Journals are kept in <code>${lab.folder}</code>; those of <code>aji match --journal</code> can be watched there too.</p></div>`}
    ${entries.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Contests"><table class="contests">
      <caption>Contests in <code>${lab.folder}</code></caption>
      <thead><tr><th scope="col">name</th><th scope="col">game</th><th scope="col">agents</th><th scope="col" class="right">played</th><th scope="col">state</th><th scope="col">changed</th></tr></thead>
      <tbody>${entries.map(entryRow)}</tbody></table></div>`}`;
}

/** @param {any} entry */
function entryRow(entry) {
  const link = html`<th scope="row"><a href=${toHash("lab", { run: entry.name })}>${entry.name}</a></th>`;
  const when = html`<td class="number">${WHEN.format(new Date(entry.changed * 1000))}</td>`;
  if (entry.error) return html`<tr>${link}<td colspan="4" class="wrong">${entry.error}</td>${when}</tr>`;
  const { kind, game, agents, planned_rounds: planned, extent, is_running: isRunning } = entry.contest;
  const share = extent ? Math.min(1, extent.rounds / planned) : 0;
  const state = isRunning ? "running" : extent?.is_finished ? "finished" : "stopped";
  const names = kind === "tuning" ? `${agents.length - 1} values of ${agents.at(-1)}` : kind === "match" ? agents.join(" – ") : `${agents.length} agents`;
  return html`<tr>${link}<td>${game}</td><td class="names">${names}</td>
    <td class="right number">${extent ? (extent.is_finished ? `${count(extent.rounds)} rounds` : `${Math.floor(100 * share)}%`) : "?"}</td>
    <td><span class=${`state ${state}`}>${state}</span></td>${when}</tr>`;
}

/** The reports that can be opened. @param {{lab: any}} props */
export function Reports({ lab }) {
  if (!lab) return null;
  return html`<section class="reports" aria-label="Reports of papers"><h2>Reports of papers</h2>
    ${lab.reports.length === 0
      ? html`<p class="told">None in <code>${lab.reports_folder}</code>. <code>aji reproduce</code> writes them; <code>aji serve --reports DIR</code> names another folder.</p>`
      : html`<ul>${lab.reports.map((/** @type {any} */ report) => html`<li><a href=${`/api/lab/reports/${encodeURIComponent(report.name)}`} target="_blank" rel="noopener">${report.title}</a> <small>${report.name}, in a new tab</small></li>`)}</ul>`}
  </section>`;
}
