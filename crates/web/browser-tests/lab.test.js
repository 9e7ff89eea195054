// Contests in the page: begun by the form, watched, killed, gone on with, replayed; and reports.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { PROGRAM, launch, open, reads, serve, status, violations } from "./workbench.js";

let server, browser, folder;
const options = () => ["--journals", join(folder, "journals"), "--reports", join(folder, "reports")];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "aji-lab-"));
  await mkdir(join(folder, "reports/kao2013/results"), { recursive: true });
  await writeFile(join(folder, "reports/kao2013/results/index.html"), "<!doctype html><html lang=en><title>Incentive learning</title><style>p{color:red}</style><p>A report</p>");
  [server, browser] = await Promise.all([serve(0, options()), launch()]);
});
after(async () => {
  await browser.close();
  await server.end();
  await rm(folder, { recursive: true });
});

const at = (query = "") => `${server.url}/#/lab?${query}`;
const button = (page, name) => page.getByRole("button", { name, exact: true });
const journal = (name) => readFile(join(folder, "journals", `${name}.jsonl`), "utf8");
const MATCH = "game=tic-tac-toe&games=40&agents=uct+simulations%3D60%3Brandom";

/** The games so far, by the heading. */
const games = async (page) => Number((await status(page).textContent()).match(/([\d,]+) of/)[1].replaceAll(",", ""));

test("a match runs to its end, and its journal is that of the command", async () => {
  const { page, close } = await open(browser, at(`${MATCH}&name=ttt&test=-400,400`));
  await button(page, "Start").click();
  await reads(status(page), /finished: the test has decided/);
  assert.match(page.url(), /run=ttt/);
  assert.equal(await page.locator(".plot").count(), 3);
  assert.match(await page.locator(".plot svg").nth(2).getAttribute("aria-label"), /accept \+400 Elo/);
  await reads(page.locator(".facts"), /score of a/);
  const other = join(folder, "command.jsonl");
  await promisify(execFile)(PROGRAM, ["match", "tic-tac-toe", "--a", "uct simulations=60 memory=16MB", "--b", "random", "--games", "40", "--sprt=-400,400", "--journal", other]);
  assert.equal(await journal("ttt"), await readFile(other, "utf8"));
  // A game is replayed on its board, by buttons and by keys, and a link reopens it.
  await page.locator(".games tbody .link").first().click();
  const replay = page.locator(".replay");
  await reads(replay.locator("h2"), /Game 1\.1: (x wins|o wins|a draw|.*)/);
  await replay.locator(".move-list li").first().waitFor();
  const whole = await replay.locator(".move-list li").count();
  await button(replay, "First").click();
  await reads(replay, /after move 0 of/);
  await button(replay, "Forward").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await reads(replay, /after move 2 of/);
  assert.match(page.url(), /ply=2/);
  await page.reload();
  await reads(page.locator(".replay"), new RegExp(`after move 2 of ${whole}`));
  await page.getByRole("link", { name: "Analyse this position" }).click();
  await page.waitForURL(/#\/analyse\?game=tic-tac-toe/);
  await close();
});

test("a server that is killed loses no finished game", async () => {
  const query = "game=connect-four&games=20&agents=uct+simulations%3D3000%3Buct+simulations%3D3000+c%3D0.5";
  const first = await open(browser, at(`${query}&name=whole`), { expected: /ERR_/ });
  await button(first.page, "Start").click();
  await reads(status(first.page), /20 of 20 games finished/);
  await first.page.goto(at(`${query}&name=killed`));
  await button(first.page, "Start").click();
  await first.page.waitForFunction(() => Number(/([\d,]+) of/.exec(document.querySelector("h1.status").textContent)?.[1]) >= 4);
  await server.end("SIGKILL");
  await first.page.locator(".gone").waitFor();
  const kept = (await journal("killed")).split("\n").filter((line) => line.startsWith("{\"trial\"")).length;
  assert.ok(kept >= 2 && kept < 10, `${kept}`);
  server = await serve(server.port, options());
  // The page goes on by itself when the server is back, and shows what was kept.
  await reads(status(first.page), /stopped/);
  await first.page.locator(".gone").waitFor({ state: "detached" });
  const before = await games(first.page);
  assert.ok(before >= 4 && before < 20, `${before}`);
  await button(first.page, "Go on").click();
  // Closing the page does not end the match.
  await first.page.waitForFunction((before) => Number(/([\d,]+) of/.exec(document.querySelector("h1.status").textContent)?.[1]) > before, before);
  await first.close();
  const second = await open(browser, at("run=killed"));
  await reads(status(second.page), /20 of 20 games finished/);
  assert.equal(await journal("killed"), await journal("whole"));
  await second.page.getByRole("link", { name: "All contests" }).click();
  await reads(second.page.locator(".contests"), /killed.*finished/);
  await second.close();
});

test("a tournament has its tables, and is stopped by hand", async () => {
  const { page, close } = await open(browser, at("kind=tournament&game=tic-tac-toe&games=2000&name=cup"));
  await button(page, "Add an agent").click();
  await reads(page.locator(".contest-form"), /Agent 4/);
  await button(page, "Start").click();
  await page.locator(".cross tbody tr").nth(3).waitFor();
  await button(page, "Stop").click();
  await reads(status(page), /stopped/);
  assert.equal(await page.locator(".ratings tbody tr").count(), 4);
  assert.equal(await page.locator(".cross .same").count(), 4);
  await button(page, "Later").click();
  await reads(page.locator(".games"), /page 2 of/);
  await close();
});

test("a tuning has its curve", async () => {
  const { page, close } = await open(browser, at("kind=tuning&game=tic-tac-toe&games=24&agents=uct+simulations%3D10&vary=simulations%3D2..64&points=4&name=tune"));
  await button(page, "Start").click();
  await reads(status(page), /96 of 96 games finished/);
  assert.equal(await page.locator(".plot .dot").count(), 4);
  await reads(page.locator(".stage"), /Best: simulations=(20|64)/);
  await close();
});

test("mistakes are told", async () => {
  const { page, close } = await open(browser, at("game=tic-tac-toe&agents=uct%3Buct+q%3D1"), { expected: /status of 40/ });
  await button(page, "Start").click();
  await reads(page.locator(".contest-form .problem"), /unknown option/);
  // Enter starts at once, with what was typed.
  await page.getByRole("combobox", { name: "Agent b", exact: true }).fill("gtp: ls");
  await page.keyboard.press("Enter");
  await reads(page.locator(".contest-form .problem"), /starts no programs/);
  await page.getByLabel("Games", { exact: true }).fill("many");
  await page.keyboard.press("Enter");
  await reads(page.locator(".contest-form .problem"), /games: "many" found, expected a whole number/);
  await page.goto(at("run=nothing"));
  await reads(page.locator(".stage .problem").last(), /no journal nothing/);
  await page.goto(at("run=ttt&g=999.0"));
  await reads(page.locator(".replay .problem"), /no game 0 of trial 999/);
  await close();
});

test("a report opens in a tab of its own", async () => {
  const { page, close } = await open(browser, at());
  const [tab] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Incentive learning" }).click()]);
  await reads(tab.locator("p"), /A report/);
  assert.equal(await tab.evaluate(() => getComputedStyle(document.querySelector("p")).color), "rgb(255, 0, 0)");
  await tab.close();
  await close();
});

for (const [scheme, width] of [["light", 390], ["dark", 390], ["light", 1000], ["dark", 1000], ["light", 1600]]) {
  test(`axe-core finds no barrier in ${scheme} at ${width}`, async () => {
    const { page, close } = await open(browser, at(), { width, scheme });
    for (const [query, sign] of [["", ".contests tbody tr"], ["run=ttt&g=1.0&ply=3", ".replay .board"], ["run=cup", ".cross .score"], ["run=tune", ".plot .dot"], ["kind=tuning", ".contest-form"]]) {
      await page.goto(at(query));
      await page.locator(sign).first().waitFor();
      assert.deepEqual(await violations(page), [], query);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, query);
    }
    await close();
  });
}
