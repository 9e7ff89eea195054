// The page as a whole: every game's board, without errors, without barriers, at every width; and its size.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { launch, open, reads, serve, status, violations } from "./workbench.js";

let server, browser;
before(async () => ([server, browser] = await Promise.all([serve(), launch()])));
after(async () => (await browser.close(), await server.end()));

const GAMES = [
  "tic-tac-toe", "mnk m=5 n=4 k=4", "connect-four", "othello", "hex size=5", "go size=5", "breakthrough", "nim", "heap-go",
  "domineering", "clobber", "toads-and-frogs", "sum", "pig", "sailing", "2048", "canadian-traveller",
];

test("every game has a board that fits, and axe-core finds no barrier", async () => {
  const known = await (await fetch(`${server.url}/api/catalog`)).json();
  assert.deepEqual(known.games.map((game) => game.word).sort(), GAMES.map((game) => game.split(" ")[0]).sort());
  const { page, close } = await open(browser, `${server.url}/#/play`, { width: 390, height: 844 });
  for (const game of GAMES) {
    await page.goto(`${server.url}/#/play?${new URLSearchParams({ game, p0: "you", p1: "you" })}`);
    await reads(status(page), /to move/);
    await page.locator(".drawn svg.board").first().waitFor();
    await page.waitForFunction((word) => document.querySelector("select").value === word, game.split(" ")[0]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${game} is ${width} wide`);
    assert.deepEqual(await violations(page), [], game);
  }
  await close();
});

for (const [scheme, width] of [["light", 1000], ["dark", 1000], ["dark", 390], ["light", 1600]]) {
  test(`axe-core finds no barrier in ${scheme} at ${width}`, async () => {
    const { page, close } = await open(browser, `${server.url}/#/play?game=connect-four&moves=d+d&p1=you`, { width, scheme });
    await reads(status(page), /to move/);
    assert.deepEqual(await violations(page), []);
    await page.goto(`${server.url}/#/analyse?game=go+size%3D5&moves=C3&agent=uct+simulations%3D2000&with=rave+simulations%3D2000`);
    await page.getByRole("button", { name: "Start" }).click();
    await reads(page.locator(".panel .told").first(), /all simulations spent/);
    assert.deepEqual(await violations(page), []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await close();
  });
}

test("the page is at most 300 kB compressed", async () => {
  const folder = new URL("../page/", import.meta.url);
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += gzipSync(await readFile(`${entry.parentPath ?? entry.path}/${entry.name}`)).length;
  }
  console.log(`the page: ${(bytes / 1000).toFixed(1)} kB compressed`);
  assert.ok(bytes <= 300_000, `${bytes} bytes`);
});
