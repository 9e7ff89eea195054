// Takes the pictures of the README: `npm run pictures`. Look at them before you commit them.

import { launch, open, serve } from "./workbench.js";

const FOLDER = new URL("../../../docs/", import.meta.url).pathname;

/** Each picture: its name, its address, and the simulations after which a search is stopped. @type {[string, string, number?][]} */
const PICTURES = [
  ["web-analyse", "analyse?game=go+size%3D9&moves=E5+C3+G3+C7+G7&agent=rave+playout%3Datari", 20_000],
  ["web-tree", "tree?game=connect-four&agent=rave&node=d", 100_000],
  ["web-phases", "phases?game=hex+size%3D5&moves=c1+e1+b4+d3&agent=uct&n=1200&step=0"],
];

/** The width of the page, and the time that drawing takes at most, in milliseconds. */
const WIDTH = 1100;
const SETTLED = 2_000;

const [server, browser] = await Promise.all([serve(), launch()]);
const count = (text) => Number(text?.replace(/\D/g, "") ?? 0);
for (const [name, hash, simulations] of PICTURES) {
  const { page, close } = await open(browser, `${server.url}/#/${hash}`, { width: WIDTH, height: 600 });
  const button = (label) => page.getByRole("button", { name: label, exact: true });
  if (simulations) {
    const told = page.locator(".status .thinking, .panel .told").first();
    await button("Start").click();
    while (count((await told.textContent()).split(/simulations|visits/)[0]) < simulations) await page.waitForTimeout(100);
    await button("Stop").click();
    await button("Go on").waitFor();
  }
  await page.locator("h1.status").waitFor();
  await page.waitForTimeout(SETTLED);
  await page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: true });
  console.log(`${FOLDER}${name}.png`);
  await close();
}
await browser.close();
await server.end();
