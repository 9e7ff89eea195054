// Layout: nothing jumps while a view loads, or while it plays.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, reads, serve, status } from "./workbench.js";

/** Chromium calls a page good whose score of layout shift is below this. */
const SHIFT_MAX = 0.1;

const VIEWS = {
  play: "play", "play a large board": "play?game=go+size%3D19", "play without a board": "play?game=mnk+m%3D9+n%3D9+k%3D5",
  analyse: "analyse", "analyse after moves": "analyse?game=hex&moves=a1+b2+c3", tree: "tree", "tree of a node": "tree?game=hex&node=f6",
  phases: "phases", "phases in the middle": "phases?game=connect-four&n=300&step=1", "the lecture's tree": "phases?lecture=tree",
  "the lecture's bandit": "phases?lecture=bandit", bandit: "bandit", heap: "sums", board: "sums?kind=board", expression: "sums?kind=expression",
  order: "sums?kind=order", lab: "lab",
};

let server, browser;
before(async () => ([server, browser] = await Promise.all([serve(), launch()])));
after(async () => (await browser.close(), await server.end()));

/** Sums the layout shifts of a page from now on, and names what shifted. @param {import("playwright-core").Page} page */
const observe = (page) =>
  page.addInitScript(() => {
    globalThis.shifts = { sum: 0, of: [] };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.hadRecentInput) continue;
        globalThis.shifts.sum += entry.value;
        globalThis.shifts.of.push(`${entry.value.toFixed(3)}: ${entry.sources.map(({ node }) => node?.className?.baseVal ?? node?.className ?? node?.nodeName).join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

const check = async (page, what) => {
  const { sum, of } = await page.evaluate(() => globalThis.shifts);
  if (sum > 0.01) console.log(`${what}: ${sum.toFixed(3)}\n  ${of.join("\n  ")}`);
  assert.ok(sum < SHIFT_MAX, `${what} shifts by ${sum.toFixed(3)}\n${of.join("\n")}`);
};

for (const width of [390, 1000, 1600]) {
  for (const [name, address] of Object.entries(VIEWS)) {
    test(`nothing jumps while a view loads: ${name} at ${width}`, async () => {
      const { page, close } = await open(browser, "about:blank", { width, height: width < 500 ? 844 : 900 });
      await observe(page);
      await page.goto(`${server.url}/#/${address}`);
      await page.waitForLoadState("networkidle");
      await page.waitForTimeout(300);
      await check(page, `${name} at ${width}`);
      await close();
    });
  }
}

test("nothing jumps while simulations play", async () => {
  for (const width of [390, 1000, 1600]) {
    const { page, close } = await open(browser, "about:blank", { width, height: width < 500 ? 844 : 900 });
    await observe(page);
    await page.goto(`${server.url}/#/phases?game=tic-tac-toe&n=99`);
    await reads(status(page), /Simulation 99: select/);
    await page.getByLabel("Speed").selectOption("fast");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    // What a click moves does not count for half a second.
    await page.waitForTimeout(600);
    await reads(status(page), /Simulation 101/);
    await check(page, `phases at ${width}`);
    await close();
  }
});
