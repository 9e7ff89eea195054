// Sums of games: heaps, boards, expressions, and the order that is learned.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, reads, serve, status, violations } from "./workbench.js";

let server, browser;
before(async () => ([server, browser] = await Promise.all([serve(), launch()])));
after(async () => (await browser.close(), await server.end()));

const at = (query) => `${server.url}/#/sums?${query}`;
const button = (page, name) => page.getByRole("button", { name, exact: true });
const LEARNED = "kind=order&heaps=R3B5R7%2FB9R2B4&simulations=2000";

test("a heap has its states, each with its thermograph", async () => {
  const { page, close } = await open(browser, at("kind=heap&heap=R3B5R7B2"));
  await reads(status(page), /R3B5R7B2: temperature 6/);
  assert.equal(await page.locator(".states tbody tr").count(), 4);
  assert.match(await page.locator(".thermograph svg").getAttribute("aria-label"), /mean -1, temperature 6/);
  await button(page, "state with 1 counters").click();
  await reads(status(page), /B2: temperature 2/);
  assert.match(page.url(), /counters=1/);
  await page.getByLabel(/^Heap \(/).fill("B7R7");
  await reads(status(page), /^B7R7: temperature/);
  await close();
});

test("a wrong heap is told", async () => {
  const { page, close } = await open(browser, at("kind=heap&heap=R3X5"), { expected: /status of 400/ });
  await reads(page.locator(".problem"), /expected R or B before a weight, found X at 3/);
  await close();
});

test("a board is drawn by clicks and by keys", async () => {
  const { page, close } = await open(browser, at("kind=board&game=domineering&board=..%2F.."));
  await reads(page.locator(".facts"), /canonical form\+-1/);
  await page.getByRole("button", { name: "a1: free" }).click();
  await page.getByRole("button", { name: "a1: taken" }).waitFor();
  await page.waitForFunction(() => /board=\.\.%2F%23\./.test(location.hash));
  await page.getByRole("button", { name: "a1: taken" }).press("Enter");
  await reads(page.locator(".facts"), /canonical form\+-1/);
  await page.getByRole("button", { name: "Add a board" }).click();
  await reads(page.locator(".facts"), /canonical form0/);
  await page.getByLabel("Game").selectOption("clobber");
  await reads(page.locator(".facts"), /outcome/);
  await page.getByRole("button", { name: "a1: Right's stone" }).waitFor();
  await close();
});

test("boards and expressions have the states that play reaches, the hottest first", async () => {
  const { page, close } = await open(browser, at("kind=board&game=domineering&board=..%2F.."));
  const rows = page.locator(".reached tbody tr");
  await rows.first().waitFor();
  assert.deepEqual(await rows.locator("th code").allTextContents(), ["../..", "./.", ".."]);
  assert.match(await rows.first().textContent(), /^\.\.\/\.\.011-1\{2\|0\} \{2\|0\} $/);
  await page.getByRole("button", { name: "./.", exact: true }).focus();
  await page.keyboard.press("Enter");
  await reads(page.locator(".facts"), /canonical form1/);
  assert.match(page.url(), /board=\.%2F\./);
  await page.goto(at("kind=expression&expression=1000"));
  await reads(page.locator(".reached tfoot"), /961 further values are left out/);
  await page.goto(at(`kind=expression&expression=${encodeURIComponent("{3|-1||-7}")}`));
  await reads(page.locator(".reached tbody"), /\{3\|-1\|\|-7\}.*\{3\|-1\}/);
  assert.deepEqual(await violations(page), []);
  await close();
});

test("expressions are evaluated and compared", async () => {
  const { page, close } = await open(browser, at(`kind=expression&expression=${encodeURIComponent("{3|-1||-7}")}&with=-3`));
  await reads(page.locator(".facts"), /mean-3temperature4/);
  await reads(page.locator(".side .told[role=status]"), /is confused with/);
  await page.getByLabel(/^Expression/).fill("^ > *");
  await reads(status(page), /truth: false/);
  await close();
});

test("an order is learned while one watches, and a link reopens it", async () => {
  const { page, close } = await open(browser, at(LEARNED));
  await button(page, "Start").click();
  await reads(status(page), /2,000 simulations: \d+ of \d+ pairs/);
  assert.equal(await page.locator(".learnt tbody tr").count(), 6);
  const order = () => page.locator(".learnt tbody").textContent();
  const before = await order();
  await page.locator(".heat-map svg").focus();
  await page.keyboard.press("ArrowRight");
  await reads(page.locator(".heat-map .pair"), /against .* points|never compared/);
  await page.waitForFunction(() => /at=2000/.test(location.hash));
  await page.reload();
  await reads(status(page), /2,000 simulations/);
  assert.equal(await order(), before);
  await close();
});

for (const [scheme, width] of [["light", 390], ["dark", 1000], ["light", 1600]]) {
  test(`axe-core finds no barrier in ${scheme} at ${width}`, async () => {
    const { page, close } = await open(browser, at("kind=heap"), { width, scheme });
    const check = async (what) => {
      assert.deepEqual(await violations(page), [], what);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${what} is too wide`);
    };
    await page.locator(".states").waitFor();
    await check("heap");
    await page.goto(at("kind=board&game=clobber"));
    await page.locator(".facts").waitFor();
    await check("board");
    await page.goto(at("kind=expression&with=*"));
    await page.getByLabel(/^Expression/).waitFor();
    await page.locator(".facts").waitFor();
    await check("expression");
    await page.goto(at(`${LEARNED}&at=2000`));
    await page.locator(".learnt").waitFor();
    await reads(status(page), /2,000 simulations/);
    await check("order");
    await close();
  });
}
