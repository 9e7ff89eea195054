// Rules on bandits, watched live.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, reads, serve, status, violations } from "./workbench.js";

let server, browser;
before(async () => ([server, browser] = await Promise.all([serve(), launch()])));
after(async () => (await browser.close(), await server.end()));

const at = (query) => `${server.url}/#/bandit?${query}`;
const button = (page, name) => page.getByRole("button", { name, exact: true });
const pulls = async (page) => Number((await status(page).textContent()).match(/^([\d,]+) of/)[1].replaceAll(",", ""));
const SMALL = "rules=ucb1,+voi&means=0.9,0.5,0.2&pulls=400&repeats=20";

test("regrets grow, stop, go on, and a link reopens them", async () => {
  const { page, close } = await open(browser, at(`${SMALL}&speed=slow`));
  await button(page, "Start").click();
  await page.waitForFunction(() => document.querySelectorAll(".plot path.series")[0]?.getAttribute("d").split("L").length > 3);
  await button(page, "Stop").click();
  await reads(status(page), /stopped/);
  const early = await pulls(page);
  assert.ok(early > 0 && early < 400, `${early}`);
  assert.match(page.url(), new RegExp(`at=${early}`));
  const told = () => page.locator(".regrets tbody").textContent();
  const before = await told();
  await page.reload();
  await reads(status(page), /stopped/);
  assert.equal(await pulls(page), early);
  assert.equal(await told(), before);
  await page.getByLabel("Speed").selectOption("at once");
  await button(page, "Go on").click();
  await reads(status(page), /400 of 400 pulls done/);
  assert.match(await told(), /± \d/);
  const known = await page.locator(".arms.known").count();
  assert.equal(known, 2);
  assert.equal(await page.locator(".whisker .bound").count(), 3, "UCB1 has bounds, VOI has none");
  await close();
});

test("rules and arms are chosen by hand", async () => {
  const { page, close } = await open(browser, at("pulls=50&repeats=5&speed=at+once"));
  await page.getByLabel("Add a rule").selectOption({ index: 3 });
  await page.waitForFunction(() => document.querySelectorAll(".regrets tbody tr").length === 4);
  await page.getByLabel(/^Means/).selectOption("uniform");
  await page.getByLabel(/Number of arms/).fill("20");
  await page.getByLabel(/Number of arms/).press("Enter");
  await button(page, "Start").click();
  await reads(status(page), /50 of 50 pulls done/);
  assert.match(await page.locator(".arms.known tfoot").first().textContent(), /8 more arms/);
  await close();
});

test("mistakes are told", async () => {
  const { page, close } = await open(browser, at("rules=ucb7"), { expected: /status of 400/ });
  await button(page, "Start").click();
  await reads(page.locator(".problem"), /did you mean ucb1/);
  await page.getByLabel(/^Rules/).fill("ucb1");
  await page.getByRole("textbox", { name: "Pulls", exact: true }).fill("many");
  await page.getByRole("textbox", { name: "Pulls", exact: true }).press("Enter");
  await reads(page.locator(".problem"), /pulls: "many" found, expected a whole number/);
  await close();
});

for (const [scheme, width] of [["light", 390], ["dark", 1000], ["light", 1600]]) {
  test(`axe-core finds no barrier in ${scheme} at ${width}`, async () => {
    const { page, close } = await open(browser, at(`${SMALL}&at=400`), { width, scheme });
    await reads(status(page), /400 of 400/);
    await page.locator(".arms.known").nth(1).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await close();
  });
}
