// A search watched live.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cell, launch, open, reads, serve, status, violations } from "./workbench.js";

let server, browser;
before(async () => ([server, browser] = await Promise.all([serve(), launch()])));
after(async () => (await browser.close(), await server.end()));

const at = (query) => `${server.url}/#/analyse?${query}`;
const simulations = async (page) => Number((await page.locator(".panel .told").first().textContent()).match(/([\d,]+) simulations/)[1].replaceAll(",", ""));
const button = (page, name) => page.getByRole("button", { name, exact: true });

test("a search is watched, stopped and gone on with", async () => {
  const { page, close } = await open(browser, at("game=connect-four&moves=d+d&agent=uct"));
  await button(page, "Start").click();
  await reads(page.locator(".panel .told"), /[\d,]{5,} simulations/);
  const early = await simulations(page);
  await page.waitForFunction((early) => Number(document.querySelector(".panel .told").textContent.match(/([\d,]+) sim/)[1].replaceAll(",", "")) > early, early);
  await button(page, "Stop").click();
  await reads(page.locator(".panel .told"), /stopped/);
  assert.equal(await page.locator(".arms tbody tr").count(), 7);
  assert.ok((await page.locator(".board .mark").count()) > 0, "the board has numbers");
  const visits = () => page.locator(".arms tbody tr td.right").first().getAttribute("title");
  const before = Number((await visits()).replaceAll(",", ""));
  await button(page, "Go on").click();
  await page.waitForFunction((before) => Number(document.querySelector(".arms tbody tr td.right").title.replaceAll(",", "")) > before, before);
  await button(page, "Hide hints").click();
  await page.locator(".arms").waitFor({ state: "detached" });
  assert.equal(await page.locator(".board .mark").count(), 0);
  await button(page, "Stop").click();
  await close();
});

test("a running search follows the moves played", async () => {
  const { page, close } = await open(browser, at("game=connect-four&agent=uct"));
  await button(page, "Start").click();
  await reads(page.locator(".panel .told"), /simulations/);
  await cell(page, "drop into d").click();
  await reads(status(page), /o to move/);
  await reads(page.locator(".panel .told"), /[\d,]{5,} simulations/);
  await page.getByRole("slider", { name: /Position after move/ }).fill("0");
  await reads(status(page), /x to move/);
  assert.match(page.url(), /at=0/);
  await reads(page.locator(".panel .told"), /simulations/);
  await button(page, "Stop").click();
  await close();
});

test("a line is walked by arrow keys and the wheel", async () => {
  const { page, close } = await open(browser, at("game=connect-four&agent=uct+simulations%3D5000"));
  await button(page, "Start").click();
  await reads(page.locator(".panel .told"), /all simulations spent/);
  const line = page.locator(".line").first();
  await line.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelectorAll(".ghostly .disc").length === 2);
  await line.hover();
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => document.querySelectorAll(".ghostly .disc").length === 3);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelectorAll(".disc").length === 0);
  await close();
});

test("two agents are compared on the same position", async () => {
  const { page, close } = await open(browser, at("game=tic-tac-toe&moves=a1&agent=uct+simulations%3D3000&with=exact"), { width: 1600 });
  await button(page, "Start").click();
  await reads(page.locator(".panel .told").nth(1), /solved|proven/);
  await reads(page.locator(".panel .told").first(), /3,000 simulations/);
  assert.equal(await page.locator(".arms").count(), 2);
  await close();
});

test("the board shows the numbers of either agent that is compared", async () => {
  const { page, close } = await open(browser, at("game=tic-tac-toe&moves=a1&agent=uct+simulations%3D3000&with=exact"));
  await button(page, "Start").click();
  await reads(page.locator(".panel .told").nth(1), /solved|proven/);
  await reads(page.locator(".panel .told").first(), /3,000 simulations/);
  const marks = () => page.locator(".board .mark").allTextContents();
  const of = page.getByLabel("The board shows the numbers of");
  const first = await marks();
  await of.focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction((first) => [...document.querySelectorAll(".board .mark")].map((mark) => mark.textContent).join() !== first, first.join());
  assert.match(page.url(), /marks=second/);
  const second = await marks();
  // Exact play knows that only the middle draws.
  assert.ok(second.some((mark) => mark.includes(".5")) && !second.join().includes(".49"), second.join());
  assert.deepEqual(await violations(page), []);
  await of.selectOption({ label: "uct simulations=3000" });
  await page.waitForFunction((first) => [...document.querySelectorAll(".board .mark")].map((mark) => mark.textContent).join() === first, first.join());
  assert.ok(!page.url().includes("marks="), page.url());
  await close();
});

test("an agent that cannot play says so", async () => {
  const { page, close } = await open(browser, at("game=connect-four&agent=thermo"));
  await button(page, "Start").click();
  await reads(page.locator(".panel .problem"), /thermo/);
  await button(page, "Start").waitFor();
  await close();
});
