// The search tree, and the four phases of a simulation.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, reads, serve, status, violations } from "./workbench.js";

let server, browser;
before(async () => ([server, browser] = await Promise.all([serve(), launch()])));
after(async () => (await browser.close(), await server.end()));

const button = (page, name) => page.getByRole("button", { name, exact: true });
const node = (page, key) => page.locator(`[data-key="node ${key}"]`);

test("the tree grows while one watches, and its nodes open, close and tell their numbers", async () => {
  const { page, close } = await open(browser, `${server.url}/#/tree?game=tic-tac-toe&agent=uct`);
  await button(page, "Start").click();
  await page.waitForFunction(() => document.querySelectorAll(".node").length > 10);
  const early = await page.locator(".status .thinking").textContent();
  await page.waitForFunction((early) => document.querySelector(".status .thinking").textContent !== early, early);
  await node(page, "b2").click();
  await reads(page.locator(".equation"), /bound of b2 = mean \+ c √\(ln n/);
  assert.equal(await page.locator(".small-board .sign").count(), 1);
  await button(page, "Stop").click();
  await button(page, "Go on").waitFor();
  await reads(page.locator(".told-arms caption"), /x chooses by ucb1/);
  assert.equal(await page.locator(".told-arms tbody tr").count(), 9);
  // The bound is the mean and the width.
  const told = await page.locator(".equation").textContent();
  const [mean, width, bound] = told.match(/= (0\.\d+) \+ (0\.\d+) = (\d\.\d+)/).slice(1).map(Number);
  assert.ok(Math.abs(mean + width - bound) < 0.002, told);
  const below = () => page.locator('[data-key^="node b2 "]').count();
  if ((await below()) === 0) await button(page, "Open the node").click();
  await page.waitForFunction(() => document.querySelectorAll('[data-key^="node b2 "]').length > 0);
  await button(page, "Close the node").click();
  await page.waitForFunction(() => document.querySelectorAll('[data-key^="node b2 "]').length === 0);
  assert.deepEqual(await violations(page), []);
  assert.match(page.url(), /node=b2/);
  await close();
});

test("a node becomes the root of a new search", async () => {
  const { page, close } = await open(browser, `${server.url}/#/tree?game=connect-four&agent=uct&node=d`);
  await button(page, "Search from this position").click();
  await reads(status(page), /o to move/);
  assert.match(page.url(), /moves=d/);
  await close();
});

test("a simulation is walked phase by phase", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases?game=tic-tac-toe&n=99`);
  await reads(status(page), /Simulation 99: select/);
  await reads(page.locator(".equation"), /bound of/);
  // The marked action has the largest bound.
  const taken = await page.locator(".told-arms tr.taken th").textContent();
  assert.equal(await page.locator(".told-arms tr.best th").first().textContent(), taken);
  const seen = new Set();
  for (let step = 0; step < 12; step++) {
    const now = await status(page).textContent();
    if (!now.includes("99")) break;
    seen.add(now.split(": ")[1]);
    await button(page, "Forward").click();
    await page.waitForFunction((last) => document.querySelector("h1.status").textContent !== last || true, now);
  }
  assert.deepEqual([...seen], ["select", "expand", "simulate", "back up"]);
  await reads(status(page), /Simulation 10\d/);
  await button(page, "Back").click();
  await page.getByRole("spinbutton", { name: "Simulation" }).fill("7");
  await page.keyboard.press("Enter");
  await reads(status(page), /Simulation 7: /);
  assert.match(page.url(), /n=7/);
  assert.deepEqual(await violations(page), []);
  await close();
});

test("what is backed up adds one visit to each edge", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases?game=connect-four&n=300&step=99`);
  await reads(status(page), /back up/);
  const rows = await page.locator(".told-arms tbody tr td:nth-child(3)").allTextContents();
  assert.ok(rows.length > 1);
  for (const row of rows) {
    const [before, after] = row.split(" → ").map(Number);
    assert.equal(after, before + 1, row);
  }
  await close();
});

test("the traps of the documents are there, with and without the solver", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases`);
  const examples = page.getByLabel("Examples");
  const titles = await examples.locator("option").allTextContents();
  assert.equal(titles.filter((title) => title.startsWith("Trap")).length, 12);
  await examples.selectOption({ label: titles.find((title) => title.startsWith("Trap with the solver. Nim")) });
  await reads(status(page), /Simulation 1,000|Simulation/);
  assert.match(page.url(), /solver/);
  await close();
});

test("tree and phases fit a phone, and have no barriers there in the dark", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases?game=connect-four&n=300&step=1`, { width: 390, height: 844, scheme: "dark" });
  await reads(page.locator(".equation"), /bound of/);
  assert.deepEqual(await violations(page), []);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await page.goto(`${server.url}/#/tree?game=pig&agent=uct+simulations%3D5000&node=roll`);
  await button(page, "Start").click();
  await reads(page.locator(".equation"), /bound of roll/);
  await button(page, "Go on").waitFor();
  assert.deepEqual(await violations(page), []);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await close();
});

test("an agent that has no simulations says so", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases?game=nim&agent=random`, { expected: /status of 400/ });
  await reads(page.locator(".problem"), /no simulations to explain/);
  await close();
});

test("the lecture's tree and bandit have the lecture's numbers", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases?lecture=tree`);
  await reads(page.locator(".lecture-tree"), /60\/79.*1\/10.*0\/9.*61\/98/s);
  await button(page, "Forward").click();
  await reads(page.locator(".lecture-tree"), /1\.10019.*1\.05759.*1\.00939/s);
  await button(page, "Forward").click();
  await reads(page.locator(".lecture-node.chosen"), /60\/79/);
  await button(page, "Forward").click();
  await reads(page.locator(".lecture-node.chosen"), /61\/80/);
  assert.deepEqual(await violations(page), []);
  await page.goto(`${server.url}/#/phases?lecture=bandit&step=9`);
  await page.waitForFunction(() => document.querySelectorAll(".lecture tbody tr").length === 10);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  const bounds = await page.locator(".lecture tbody tr td.right:not(:last-child)").allTextContents();
  const numbers = bounds.map((text) => text.split(" ")[0]);
  const printed = ["1.78", "1.48", "2.48", "1.97", "1.67", "1.68", "1.57", "1.79", "1.77", "1.64", "1.59", "1.84", "1.69", "1.64", "1.81", "1.74", "1.69", "1.52"];
  assert.deepEqual(numbers.slice(9, 27), printed);
  assert.deepEqual(await violations(page), []);
  await close();
});
