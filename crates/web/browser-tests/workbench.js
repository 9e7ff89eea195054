// A server and a browser for a test file. Every page fails its test if the browser's console tells of an error.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

/** The program: `./check web` names it. */
export const PROGRAM = process.env.AJI_BINARY ?? new URL("../../../target/debug/aji", import.meta.url).pathname;

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Without network and sandbox, as a test runs as root in a closed machine. */
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Longer than any step takes on a slow machine. */
const PATIENCE = 30_000;

/** Starts `aji serve`. @param {number} [port] @param {string[]} [more] further options */
export async function serve(port = 0, more = []) {
  const server = spawn(PROGRAM, ["serve", "--port", String(port), "--memory", "400MB", ...more], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    server.on("error", reject);
    server.on("exit", () => reject(new Error("aji serve has ended")));
    server.stdout.on("data", (data) => {
      const found = /http:\S+/.exec(String(data));
      if (found) resolve(found[0]);
    });
  });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  return { url, port: Number(new URL(url).port), end: async (signal = "SIGINT") => (server.kill(signal), ended) };
}

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

/**
 * A page whose console must stay silent, but for messages that match.
 * @param {import("playwright-core").Browser} browser
 */
export async function open(browser, url, { width = 1000, height = 800, scheme = "light", expected = /^$/, hasTouch = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: "reduce", hasTouch });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const said = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(url);
  return {
    page,
    /** Closes the page, and fails if the console has told of anything. */
    close: async () => {
      await context.close();
      assert.deepEqual(said.filter((text) => !expected.test(text)), []);
    },
  };
}

/** Waits until the text of an element matches. */
export async function reads(locator, pattern) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const text = await locator.textContent();
    if (pattern.test(text)) return;
    assert.ok(Date.now() < end, `${pattern} is not in: ${text}`);
    await locator.page().waitForTimeout(50);
  }
}

/** What axe-core finds wrong with the page. */
export async function violations(page) {
  // The policy of the page forbids inline scripts; evaluating is not one.
  const { readFile } = await import("node:fs/promises");
  await page.evaluate(await readFile(AXE, "utf8"));
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
}

/** What a person sees of the game. */
export const status = (page) => page.locator("h1.status");

/** The button of an action on the board. */
export const cell = (page, label) => page.locator(".drawn").getByRole("button", { name: label, exact: true });
