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
  await reads(page.locator(".equation"), /bound of b2 = mean \+ c · √\(ln n \/ nᵢ\) = 0\.\d+ \+ 1\.4 · √\(ln \d+ \/ \d+\)/);
  assert.equal(await page.locator(".small-board .sign").count(), 1);
  await button(page, "Stop").click();
  await button(page, "Go on").waitFor();
  await reads(page.locator(".told-arms caption"), /x chooses by ucb1/);
  assert.equal(await page.locator(".told-arms tbody tr").count(), 9);
  // The bound is the mean and the width.
  const told = await page.locator(".equation").textContent();
  const [mean, width, bound] = told.match(/ = (0\.\d+) \+ (0\.\d+) = (\d\.\d+)$/).slice(1).map(Number);
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

/** Every rule: the word, and what the page says of the action chosen where the rule compares no number. */
const RULES = {
  ucb1: null, ucb_tuned: null, ucb_sqrt: null, puct: null, rave: null, voi: null, ocba: null, kg: null, blinkered: null, kl_ucb: null, gumbel: /random number of the action/,
  epsilon: /With probability ε = 0.5 any action/, uniform: /the fewest visits, \d+/, halving: /pulls are spent/, rejects: /pulls are spent/,
  thompson: /drawn value.*Beta\([\d.]+, [\d.]+\)/, toptwo: /probability β = 0.5/,
};

test("every rule tells its formula with numbers, which end in the number of the table, or how it chooses", async () => {
  const { page, close } = await open(browser, `${server.url}/#/tree`);
  for (const [rule, words] of Object.entries(RULES)) {
    await page.goto(`${server.url}/#/tree?game=tic-tac-toe&agent=${encodeURIComponent(`uct root=${rule} simulations=500`)}&node=b2`);
    await button(page, "Start").click();
    await button(page, "Go on").waitFor();
    await reads(page.locator(".told-arms caption"), new RegExp(`x chooses by ${rule}`));
    const told = await page.locator(".equation").textContent();
    if (words) {
      assert.match(told, words, rule);
      continue;
    }
    const result = await page.locator(".equation b").last().textContent();
    const row = page.locator(".told-arms tbody tr.taken td");
    assert.match(told, /= [^a-z]*\d/, rule);
    assert.ok(Math.abs(Number(result) - Number(await row.last().textContent())) < 0.0006, `${rule}: ${told}`);
  }
  await close();
});

test("two fingers zoom the tree and one drags it", async () => {
  const { page, close } = await open(browser, `${server.url}/#/tree?game=tic-tac-toe&agent=uct+simulations%3D2000`, { width: 390, height: 844, hasTouch: true });
  await button(page, "Start").click();
  await button(page, "Go on").waitFor();
  await page.waitForTimeout(500);
  const canvas = page.locator(".canvas svg");
  await canvas.scrollIntoViewIfNeeded();
  const place = await canvas.boundingBox();
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  const touch = await page.context().newCDPSession(page);
  const touches = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const look = async () => (await page.locator(".canvas svg > g").getAttribute("transform")).match(/-?[\d.]+/g).map(Number);
  const [, , before] = await look();
  const scrolled = await page.evaluate(() => scrollY);
  await touches("touchStart", [[x - 30, y], [x + 30, y]]);
  await touches("touchMove", [[x - 45, y], [x + 45, y]]);
  await touches("touchMove", [[x - 60, y], [x + 60, y]]);
  await page.waitForFunction((least) => Number(document.querySelector(".canvas svg > g").getAttribute("transform").match(/scale\((.*)\)/)[1]) > least, before * 1.7);
  await touches("touchEnd", []);
  const [left, top, zoomed] = await look();
  assert.ok(Math.abs(zoomed / before - 2) < 0.1, `${before} to ${zoomed}`);
  await touches("touchStart", [[x, y]]);
  await touches("touchMove", [[x + 40, y + 30]]);
  await touches("touchEnd", []);
  await page.waitForFunction((left) => Number(document.querySelector(".canvas svg > g").getAttribute("transform").match(/-?[\d.]+/)[0]) > left + 20, left);
  const [, lower, same] = await look();
  assert.ok(lower > top + 15 && same === zoomed);
  assert.ok(!page.url().includes("node="), "a gesture chooses nothing");
  assert.equal(await page.evaluate(() => scrollY), scrolled, "the page stays");
  // Outside the tree a finger scrolls the page.
  await page.evaluate(() => scrollTo(0, 0));
  const heading = await page.locator("h1.status").boundingBox();
  const [column, row] = [heading.x + 40, heading.y + heading.height / 2];
  await touches("touchStart", [[column, row]]);
  for (const up of [20, 60, 100]) await touches("touchMove", [[column, row - up]]);
  await touches("touchEnd", []);
  await page.waitForFunction(() => scrollY > 20);
  await close();
});

test("the page draws no more of a large tree than of a small one", async () => {
  const { page, close } = await open(browser, `${server.url}/#/tree?game=connect-four&agent=uct`);
  await button(page, "Start").click();
  await page.waitForFunction(() => Number(document.querySelector(".status .thinking").textContent.replace(/\D/g, "")) > 300_000);
  // The tree opens a node with each snapshot. Nine open nodes have four children and a rest each, at most.
  await page.waitForFunction(() => document.querySelectorAll(".node").length > 30);
  await page.waitForTimeout(500);
  const count = await page.locator(".node").count();
  assert.ok(count <= 46, `${count} nodes`);
  await node(page, "d").click();
  await reads(page.locator(".equation"), /bound of d/);
  await button(page, "Stop").click();
  await button(page, "Go on").waitFor();
  await close();
});

test("a search that ended at once has grown its tree too, and closed nodes stay closed", async () => {
  const { page, close } = await open(browser, `${server.url}/#/tree?game=connect-four&agent=uct+simulations%3D5000`, { width: 390, height: 844 });
  await button(page, "Start").click();
  await reads(page.locator(".status .thinking"), /^5,000 visits/);
  await page.waitForFunction(() => document.querySelectorAll(".node").length > 20);
  await page.waitForTimeout(500);
  const size = await page.locator(".canvas svg").evaluate((svg) => svg.clientWidth / svg.viewBox.baseVal.width);
  assert.ok(size > 0.9, `the tree's text has ${size} of its size on a phone`);
  await button(page, "Close all").click();
  await page.waitForFunction(() => document.querySelectorAll(".node").length === 6);
  await button(page, "Go on").click();
  await reads(page.locator(".status .thinking"), /^10,000 visits/);
  await button(page, "Go on").waitFor();
  assert.equal(await page.locator(".node").count(), 6);
  await node(page, "d").click();
  await button(page, "Open the node").click();
  // Its children that were never closed may open by themselves.
  await page.waitForFunction(() => document.querySelectorAll(".node").length >= 11);
  await close();
});

test("another agent begins a search of its own", async () => {
  const { page, close } = await open(browser, `${server.url}/#/tree?game=tic-tac-toe&agent=uct`);
  const agent = page.getByLabel("Agent");
  for (const name of ["rave", "flat", "uct c=0.5"]) {
    await button(page, "Start").click();
    await page.waitForFunction(() => document.querySelectorAll(".node").length > 4);
    await button(page, "Stop").click();
    await button(page, "Go on").waitFor();
    await agent.fill(name);
    await agent.blur();
    await button(page, "Start").waitFor();
  }
  // A running search does not disturb what is typed, and begins anew.
  await button(page, "Start").click();
  await page.waitForFunction(() => document.querySelectorAll(".node").length > 4);
  await agent.press("End");
  await agent.pressSequentially(" seed=7", { delay: 150 });
  await agent.blur();
  await page.waitForURL(/uct\+c%3D0\.5\+seed%3D7/);
  await page.waitForFunction(() => document.querySelectorAll(".node").length > 4);
  await close();
});

test("a drag moves the tree and chooses nothing", async () => {
  const { page, close } = await open(browser, `${server.url}/#/tree?game=tic-tac-toe&agent=uct+simulations%3D2000`);
  await button(page, "Start").click();
  await button(page, "Go on").waitFor();
  await page.waitForTimeout(500);
  const box = () => node(page, "b2").boundingBox();
  const before = await box();
  await page.mouse.move(before.x + 5, before.y + 5);
  await page.mouse.down();
  await page.mouse.move(before.x + 65, before.y + 45, { steps: 4 });
  await page.mouse.up();
  const after = await box();
  assert.ok(Math.abs(after.x - before.x - 60) < 15, `${before.x} to ${after.x}`);
  assert.ok(!page.url().includes("node="), page.url());
  // No button lies over the drawing.
  const zoom = await page.locator(".zoom").boundingBox();
  const drawing = await page.locator(".canvas svg").boundingBox();
  assert.ok(zoom.y + zoom.height <= drawing.y + 1);
  await close();
});

test("an agent without a tree says so", async () => {
  const { page, close } = await open(browser, `${server.url}/#/tree?game=tic-tac-toe&agent=exact`);
  await button(page, "Start").click();
  await reads(page.locator(".empty"), /exact grows no tree.*looked at [\d,]+ positions/);
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
  const whereabouts = () => page.evaluate(() => document.querySelector("h1.status").textContent + document.querySelector("input[type=range]").value);
  for (let step = 0; step < 40; step++) {
    const now = await status(page).textContent();
    if (!now.includes("99")) break;
    seen.add(now.split(": ")[1]);
    const place = await whereabouts();
    await button(page, "Forward").click();
    await page.waitForFunction((place) => document.querySelector("h1.status").textContent + document.querySelector("input[type=range]").value !== place, place);
  }
  assert.deepEqual([...seen], ["select", "expand", "simulate", "back up"]);
  await reads(status(page), /Simulation 100: select/);
  await button(page, "Back").click();
  await reads(status(page), /Simulation 99: back up/);
  await page.getByRole("spinbutton", { name: "Simulation" }).fill("7");
  await page.keyboard.press("Enter");
  await reads(status(page), /Simulation 7: /);
  assert.match(page.url(), /n=7/);
  assert.deepEqual(await violations(page), []);
  await close();
});

test("a playout is walked move by move, forward and back", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases?game=connect-four&n=200`);
  const discs = () => page.locator(".stage .disc").count();
  const shows = (count) => page.waitForFunction((count) => document.querySelectorAll(".stage .disc").length === count, count);
  const move = (name) => page.locator(".playout-moves").getByRole("button", { name });
  await page.locator(".phase-bar").getByRole("button", { name: "Simulate" }).click();
  await reads(page.locator(".side"), /The playout begins here/);
  const moves = await page.locator(".playout-moves li").allTextContents();
  assert.ok(moves.length > 3, `${moves}`);
  const path = await page.locator(".path .edge-chip:not(.playout)").count() - 1;
  await shows(path);
  for (const played of [1, 2, 3]) {
    await button(page, "Forward").click();
    await shows(path + played);
    await reads(page.locator(".side"), new RegExp(`The board shows move ${played}: ${moves[played - 1]}`));
  }
  await button(page, "Back").click();
  await shows(path + 2);
  assert.equal(await page.locator(".ghostly .board").count(), 1, "moves of a playout look like no others");
  await move(moves.at(-1)).last().click();
  await shows(path + moves.length);
  await reads(page.locator(".side"), /The playout has ended/);
  const link = page.url();
  await button(page, "Forward").click();
  await reads(status(page), /back up/);
  await shows(path);
  await button(page, "Back").click();
  await shows(path + moves.length);
  assert.deepEqual(await violations(page), []);
  await page.goto("about:blank");
  await page.goto(link);
  await shows(path + moves.length);
  assert.equal(await discs(), path + moves.length);
  await close();
});

test("playouts of Go are shown, with RAVE and up to a move that superko forbids", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases?game=go+size%3D5&agent=${encodeURIComponent("rave playout=atari")}&n=60`);
  await page.locator(".phase-bar").getByRole("button", { name: "Simulate" }).click();
  await reads(page.locator(".side"), /A playout of \d+ moves\. The playout begins here/);
  await page.locator(".playout-moves button").last().click();
  await reads(page.locator(".side"), /The playout has ended|The last move that can be shown/);
  // A few of many simulations have such a move. The server says which.
  const found = await page.evaluate(async () => {
    const ask = async (skip) => (await fetch("/api/explain", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ place: { game: "go size=5", start: null, moves: [], resigned: false }, agent: "uct", skip, steps: 100 }) })).json();
    for (let skip = 0; skip < 2000; skip += 100) {
      const one = (await ask(skip)).simulations.find((one) => one.is_forbidden_next);
      if (one) return one.number;
    }
  });
  await page.goto(`${server.url}/#/phases?game=go+size%3D5&agent=uct&n=${found}`);
  await page.locator(".phase-bar").getByRole("button", { name: "Simulate" }).click();
  await reads(page.locator(".side"), /It went on with a move that the rules forbid/);
  assert.ok((await page.locator(".playout-moves button").count()) > 0);
  await close();
});

test("what is backed up adds one visit to each edge", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases?game=connect-four&n=300&step=999`);
  await reads(status(page), /back up/);
  const rows = await page.locator(".told-arms tbody tr td:nth-child(3)").allTextContents();
  assert.ok(rows.length > 1);
  for (const row of rows) {
    const [before, after] = row.split(" → ").map(Number);
    assert.equal(after, before + 1, row);
  }
  await close();
});

test("what the solver proves is shown, and where its search ends", async () => {
  const nim = "game=nim+heaps%3D3,5,7&start=1,1,2+1&agent=uct+solver%3Don";
  const { page, close } = await open(browser, `${server.url}/#/phases?${nim}&n=9&step=999`);
  await reads(page.locator(".told-arms thead"), /solver/);
  await reads(page.locator(".told-arms tbody"), /proven [01]\.000/);
  assert.deepEqual(await violations(page), []);
  await page.goto(`${server.url}/#/phases?${nim}&n=90`);
  await reads(page.locator(".happening"), /The search has ended before this simulation/);
  await close();
});

test("all children of a large position are listed", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases?game=hex&n=150`);
  await page.locator(".told-arms tbody tr").first().waitFor();
  assert.equal(await page.locator(".told-arms tbody tr").count(), 121);
  await close();
});

test("the traps of the documents are there, with and without the solver", async () => {
  const { page, close } = await open(browser, `${server.url}/#/phases`);
  const examples = page.getByLabel("Examples");
  await examples.waitFor();
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
  await reads(status(page), /expand/);
  await reads(page.locator(".lecture-node.new"), /0\/0/);
  await button(page, "Forward").click();
  await reads(status(page), /simulate/);
  await reads(page.locator(".lecture-tree"), /won: 1/);
  assert.match(await page.locator(".lecture-tree").textContent(), /60\/79.*61\/98/s, "nothing is counted yet");
  await button(page, "Forward").click();
  await reads(page.locator(".lecture-node.new"), /1\/1/);
  await reads(page.locator(".lecture-tree"), /62\/99/);
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
