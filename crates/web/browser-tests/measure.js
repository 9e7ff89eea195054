// Measures the Tree view while a fast search runs: `npm run measure`. It prints figures and asserts nothing.
//
// The same page is measured twice for some seconds: with the tree at rest, and while the search runs.

import { launch, open, serve } from "./workbench.js";

const SECONDS = 20;

const server = await serve();
const browser = await launch();
const { page, close } = await open(browser, `${server.url}/#/tree?game=connect-four&agent=uct`, { width: 1600, height: 900 });
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable");

const button = (name) => page.getByRole("button", { name, exact: true });
const visits = async () => Number((await page.locator(".status .thinking").textContent()).replace(/\D/g, ""));

/** What the browser has spent since it began, in seconds, and its memory. */
async function spent() {
  const { metrics } = await session.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** The times between frames for some seconds, in milliseconds, sorted. @param {number} seconds */
const frames = (seconds) =>
  page.evaluate(
    (seconds) =>
      new Promise((resolve) => {
        const times = [];
        const begun = performance.now();
        let last = begun;
        const next = (now) => {
          times.push(now - last);
          last = now;
          if (now - begun < seconds * 1000) requestAnimationFrame(next);
          else resolve(times.slice(1).sort((a, b) => a - b));
        };
        requestAnimationFrame(next);
      }),
    seconds,
  );

/** @param {string} what */
async function measured(what) {
  const [before, times, after] = [await spent(), await frames(SECONDS), await spent()];
  const at = (part) => times[Math.floor((times.length - 1) * part)].toFixed(1);
  const share = (name) => `${(((after[name] - before[name]) / SECONDS) * 100).toFixed(1)}%`;
  console.log(`${what}: ${(times.length / SECONDS).toFixed(1)} frames/s, ${at(0.5)} ms (median), ${at(0.99)} ms (99%), ${at(1)} ms (longest)`);
  console.log(`  scripts ${share("ScriptDuration")} of the time, layout and style ${share("LayoutDuration")} and ${share("RecalcStyleDuration")}, all tasks ${share("TaskDuration")}; ${after.Nodes} nodes, ${(after.JSHeapUsedSize / 1e6).toFixed(1)} MB`);
}

await button("Start").click();
await page.waitForFunction(() => document.querySelectorAll(".node").length > 40);
await button("Stop").click();
await button("Go on").waitFor();
await measured("at rest");
await button("Go on").click();
const before = await visits();
await measured("while the search runs");
console.log(`  ${Math.round((await visits() - before) / SECONDS).toLocaleString("en-US")} simulations/s in the meantime`);
await close();
await browser.close();
await server.end();
