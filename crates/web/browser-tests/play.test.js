// Games played by clicks.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cell, launch, open, reads, serve, status } from "./workbench.js";

let server, browser;
before(async () => ([server, browser] = await Promise.all([serve(), launch()])));
after(async () => (await browser.close(), await server.end()));

const at = (query) => `${server.url}/#/play?${query}`;

/** Waits until a person can move, or the game is over. There is nothing to click while the page waits for an answer. */
async function isMyTurn(page) {
  const state = await page.waitForFunction(() => {
    const isOver = /wins|draw/.test(document.querySelector("h1.status").textContent);
    return isOver ? "over" : document.querySelector(".drawn .target") && "turn";
  });
  return (await state.jsonValue()) === "turn";
}

test("a whole game of Tic-Tac-Toe against the solver is a draw or a loss", async () => {
  const { page, close } = await open(browser, at("game=tic-tac-toe"));
  for (let move = 0; move < 5; move++) {
    if (!(await isMyTurn(page))) break;
    await page.locator(".drawn .target").first().click();
  }
  await reads(status(page), /o wins|a draw/);
  assert.equal(await page.locator(".drawn .target").count(), 0);
  await close();
});

test("a whole game of Connect Four between two people", async () => {
  const { page, close } = await open(browser, at("game=connect-four&p1=you"));
  for (const [ply, column] of ["a", "b", "a", "b", "a", "b", "a"].entries()) {
    await reads(status(page), ply % 2 ? /o to move/ : /x to move/);
    await cell(page, `drop into ${column}`).click();
  }
  await reads(status(page), /x wins/);
  assert.equal(await page.locator(".disc").count(), 7);
  assert.match(page.url(), /moves=a\+b\+a\+b\+a\+b\+a/);
  await close();
});

test("a whole game of Go, by clicks and passes, and its file", async () => {
  const { page, close } = await open(browser, at("game=go+size%3D5&p1=you"));
  for (const point of ["C3", "C2", "D2", "B3"]) await cell(page, `play ${point}`).click();
  await reads(page.locator(".move-list"), /C3C2D2B3/);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save SGF" }).click();
  const path = await (await download).path();
  const { readFile } = await import("node:fs/promises");
  assert.match(await readFile(path, "utf8"), /;B\[cc\];W\[cd\];B\[dd\]\s*;W\[bc\]/);
  await cell(page, "pass").click();
  await reads(status(page), /white .*to move/);
  await cell(page, "pass").click();
  await reads(status(page), /wins/);
  await page.getByRole("button", { name: "New game" }).click();
  await reads(page.locator(".move-list"), /^$/);
  await page.locator("input[type=file]").setInputFiles({ name: "game.sgf", mimeType: "text/plain", buffer: Buffer.from("(;GM[1]SZ[7]KM[3.5];B[dd];W[cc])") });
  await reads(page.locator(".move-list"), /D4C5/);
  assert.match(page.url(), /size%3D7\+komi%3D3\.5/);
  await close();
});

test("a whole game of Heap-Go against the solver", async () => {
  const { page, close } = await open(browser, at("game=heap-go+heaps%3D3+counters%3D3"));
  for (let move = 0; move < 9; move++) {
    if (!(await isMyTurn(page))) break;
    await page.locator(".drawn .target").first().click();
  }
  await reads(status(page), /Left wins|Right wins|a draw/);
  await close();
});

test("an agent answers; undo, hint, swap and resign do what they say", async () => {
  const { page, close } = await open(browser, at("game=connect-four&p1=uct+simulations%3D500"));
  await cell(page, "drop into d").click();
  await reads(page.locator(".told"), /o played [a-g] \(500 simulations/);
  await page.waitForFunction(() => document.querySelectorAll(".disc").length === 2);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".disc").length === 0);
  await page.getByRole("button", { name: "Hint" }).click();
  await reads(page.locator(".told"), /Hint: [a-g], worth 0\.\d+ to x/);
  await page.getByRole("button", { name: "Swap sides" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".disc").length === 1);
  await reads(status(page), /o to move/);
  await page.getByRole("button", { name: "Resign" }).click();
  await reads(status(page), /x wins: o resigned/);
  await close();
});

test("two agents play each other, pause and go on", async () => {
  const { page, close } = await open(browser, at("game=nim&p0=uct+simulations%3D200&p1=random"));
  await reads(status(page), /wins/);
  // Undo takes back one move, and the agents wait.
  const moves = page.locator(".move-list li");
  const all = await moves.count();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction((all) => document.querySelectorAll(".move-list li").length === all - 1, all);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction((all) => document.querySelectorAll(".move-list li").length === all - 2, all);
  await page.getByRole("button", { name: "Go on" }).click();
  await reads(status(page), /wins/);
  await close();
});

test("a new game is another game, and the same seed the same", async () => {
  const query = "game=connect-four&p0=uct+simulations%3D50&p1=uct+simulations%3D50";
  const { page, close } = await open(browser, at(query));
  const played = async () => (await reads(status(page), /wins|draw/), await page.locator(".move-list").textContent());
  const first = await played();
  await page.getByRole("button", { name: "New game" }).click();
  await page.waitForURL(/seed=2/);
  await page.waitForFunction(() => document.querySelectorAll(".move-list li").length < 5);
  assert.notEqual(await played(), first);
  await page.goto("about:blank");
  await page.goto(at(query));
  assert.equal(await played(), first);
  await close();
});

test("chance rolls the dice, and a link shows the same roll", async () => {
  const { page, close } = await open(browser, at("game=pig&p1=you"));
  await page.getByRole("button", { name: "roll", exact: true }).click();
  await page.waitForFunction(() => /moves=roll\+[1-6]/.test(location.hash));
  const url = page.url();
  const again = await open(browser, at("game=pig&p1=you&moves=roll"));
  await again.page.waitForFunction(() => /moves=roll\+[1-6]/.test(location.hash));
  assert.equal(new URL(again.page.url()).hash.match(/roll\+(.)/)[1], url.match(/roll\+(.)/)[1]);
  await again.close();
  await close();
});

test("a link reopens the game, and the browser's Back takes a move back", async () => {
  const { page, close } = await open(browser, at("game=hex+size%3D5&p1=you&moves=c3+b2"));
  await reads(status(page), /x to move/);
  await cell(page, "play d1").click();
  await reads(page.locator(".move-list"), /c3b2d1/);
  const reopened = await open(browser, page.url());
  await reads(reopened.page.locator(".move-list"), /c3b2d1/);
  assert.equal(await reopened.page.locator(".disc").count(), 3);
  await reopened.close();
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll(".disc").length === 2);
  await close();
});

test("the board is played by keyboard", async () => {
  const { page, close } = await open(browser, at("game=tic-tac-toe&p1=you"));
  await page.locator(".target[tabindex='0']").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await reads(page.locator(".move-list"), /^b2$/);
  await close();
});

test("moves of two cells are played by two clicks", async () => {
  const { page, close } = await open(browser, at("game=breakthrough&p1=you"));
  await cell(page, "from b2").click();
  await cell(page, "to c3").click();
  await reads(page.locator(".move-list"), /b2c3/);
  await page.goto(at("game=domineering+rows%3D4+columns%3D4&p1=you"));
  await cell(page, "from b2").click();
  await cell(page, "to b3").click();
  await reads(page.locator(".move-list"), /b2-b3/);
  await page.waitForFunction(() => document.querySelectorAll(".domino").length === 1);
  await close();
});

test("bad input is shown, and can be mended", async () => {
  const { page, close } = await open(browser, at("game=tic-tac-toe&p1=you"), { expected: /status of 400/ });
  await page.getByLabel("Moves as text").fill("b2 zz");
  await page.getByRole("button", { name: "Set" }).click();
  await reads(page.locator(".problem").first(), /move 2: move "zz" is not legal here/);
  await page.getByLabel("Moves as text").fill("b2 a1");
  await page.getByRole("button", { name: "Set" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".sign").length === 2);
  await page.goto(at("game=tic-tac-toe&p0=utc"));
  await reads(page.locator(".problem").first(), /did you mean uct/);
  await page.goto(at("game=chess"));
  await reads(page.locator(".problem").first(), /unknown game "chess"/);
  await close();
});

test("a dead server is shown as such, and the page goes on when it is back", async () => {
  const own = await serve();
  const { page, close } = await open(browser, `${own.url}/#/play?game=tic-tac-toe&p1=you`, { expected: /ERR_|Failed to load/ });
  await cell(page, "play b2").click();
  await reads(page.locator(".move-list"), /b2/);
  await reads(status(page), /o to move/);
  await own.end("SIGKILL");
  await cell(page, "play a1").click();
  await reads(page.locator(".gone"), /does not answer.*aji serve/s);
  const again = await serve(own.port);
  await page.locator(".gone").waitFor({ state: "detached" });
  await reads(page.locator(".move-list"), /b2a1/);
  await close();
  assert.equal(await again.end(), 0, "Ctrl-C ends it well");
});
