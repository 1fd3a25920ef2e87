/* A person records ten turns of examples/legal/thursday.cgn at the board in Firefox, by real clicks and with a finger.
   Called with the program of Firefox, the board's program, and the record; the first thing that is not as it should be
   ends it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";
import { opened, settled } from "./page.mjs";

const [program, couperation, record] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "couperation-firefox-"));
const file = join(folder, "friday.cgn");
const board = spawn(couperation, ["board", "--no-browser", file], { stdio: ["ignore", "pipe", "inherit"] });
const [address] = await once(createInterface({ input: board.stdout }), "line");
const browser = await puppeteer.launch({ browser: "firefox", executablePath: program });

const lines = (await readFile(record, "utf8")).split("\n");
const tag = (name) => lines.find((each) => each.startsWith(`[${name} `)).split('"')[1];
const dealt = lines.filter((each) => /^(deal|reserve) /.test(each))
  .map((each) => each.startsWith("deal") ? each.split(" ").slice(2) : each.split(" ").slice(3));
const marks = Object.fromEntries(tag("Marks").split(" ").map((each) => each.split(":")));
const turns = lines.filter((each) => /^\d+\. /.test(each)).slice(0, 10)
  .map((each) => each.replace(/ *[;{].*/, "").replace(/ [!?]+/, ""));

try {
  const { page, complaints, click } = await opened(browser, address);
  assert.equal(new URL(page.url()).search, "");

  const last = () => page.$$eval("#turns code", (all) => all.at(-1)?.textContent ?? "");
  const card = async (text) => {
    const own = `#hand [data-card="${text}"]`;
    await click(await page.$(own) ? own : `#fifty [data-card="${text}"]`);
  };
  const cell = async (name) => click(`#tower [data-cell="${name}"] .hit`); // once the picture stands still
  const due = async (part, text) => click(`::-p-xpath(//*[@id="told"]//*[@data-part="${part}"][text()="${text}"])`);

  /* The start: players, what was dealt, the marks of the copy. */
  const players = tag("Players").split(" ");
  const fields = await page.$$('[name="player"]');
  for (const [seat, name] of players.entries()) await fields[seat].type(name);
  for (const text of [...dealt.slice(-1), ...dealt.slice(0, -1)].flat()) await click(`#dealt [data-card="${text}"]`);
  await click("#marking summary");
  for (let value = 1; value <= 50; value += 1) await click(`#marking [data-mark="${marks[value] ?? ""}"]`);
  await click("#start .go");
  await page.waitForSelector("#game", { visible: true });

  /* Ten turns. */
  for (const [at, turn] of turns.entries()) {
    const [, drawn, action] = /^\d+\. \S+ \+(\S+) (.*)$/.exec(turn);
    for (const text of drawn === "0" ? [] : drawn.split(",")) {
      await click(`#fifty [data-card="${text}"]`);
      await page.waitForSelector(`#hand [data-card="${text}"]`);
    }
    const [, way, what, on] = /^([ABD]) (\S+)@([a-z]\d)/.exec(action);
    if (way === "D") {
      const [, first, second, taken] = /^(\d+)[+-](\d+)=(\d+)/.exec(what);
      await click(`#reserve [data-card="${taken}"]`);
      await card(first);
      await card(second);
    } else await card(what);
    await cell(on);
    for (const part of ["drop", "trim"]) {
      const cards = new RegExp(`${part} (\\S+)`).exec(action)?.[1].split(",") ?? [];
      for (const text of cards) await due(part, text);
    }
    await click(way === "B" ? '#down[aria-disabled="false"]' : '#up[aria-disabled="false"]');
    await settled(last, turn);
    assert.equal(await page.evaluate(() => scrollY), 0, `turn ${at + 1} needs scrolling`);
  }

  /* A turn that is refused is told with its clause; it is taken back, and what was written stands. */
  await click('#fifty [data-card="16"]');
  await card("16");
  await cell("d1");
  await settled(() => page.$eval("#told .code", (node) => node.textContent).catch(() => ""), "TOW01");
  await click("#clear");
  await page.reload();
  await settled(last, turns.at(-1));

  /* On a phone: one finger. */
  await page.setViewport({ width: 390, height: 844, hasTouch: true });
  const box = await page.$eval('#fifty [data-card="23"]', (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom];
  });
  assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= 390 && box[3] <= 844, `${box} is not in the window`);
  await page.touchscreen.tap((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
  await settled(() => page.$eval('#fifty [data-card="23"]', (node) => node.getAttribute("aria-pressed")), "true");
  assert.deepEqual(complaints, []);
} finally {
  await browser.close();
  board.kill("SIGTERM");
  await once(board, "exit");
}
const written = (await readFile(file, "utf8")).split("\n").filter((each) => /^\d+\. /.test(each));
assert.deepEqual(written, turns);
await rm(folder, { recursive: true, force: true });
console.log("ten turns are recorded");
