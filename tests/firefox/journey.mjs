/* A person looks through a game in Firefox: real clicks, taps and keys, over WebDriver BiDi. Called with the program of
   Firefox and a page of examples/legal/thursday.cgn; the first thing that is not as it should be ends it. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { opened, settled } from "./page.mjs";

const [program, file, record] = process.argv.slice(2);
const address = pathToFileURL(file).href;
const folder = await mkdtemp(join(tmpdir(), "couperation-firefox-"));
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: program,
  extraPrefsFirefox: {
    "browser.download.dir": folder,
    "browser.download.folderList": 2,
    "browser.download.useDownloadDir": true,
    "browser.helperApps.neverAsk.saveToDisk": "text/plain",
  },
});

try {
  const { page, complaints, click } = await opened(browser, `${address}#turn=0`);

  const text = (part) => page.$eval(`[data-part="${part}"]`, (node) => node.textContent);
  const boxes = () =>
    page.evaluate(() => {
      const parts = document.querySelectorAll("svg.tower, .told, .controls > *, .table, .table [data-pile]");
      return [...parts].map((node) => {
        const { left, top, right, bottom } = node.getBoundingClientRect();
        return [left, top, right, bottom];
      });
    });
  const middle = async (cell) =>
    page.$eval(`[data-cell="${cell}"] .hit`, (node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      return [left + width / 2, top + height / 3];
    });
  /* Ten turns, by key and by button: nothing moves, and all of it is in the window. */
  assert.equal(await text("where"), "The set-up");
  const first = await boxes();
  for (let turn = 1; turn <= 10; turn += 1) {
    if (turn % 2) await page.keyboard.press("j");
    else await click('[data-go="on"]');
    assert.equal(await text("where"), `Turn ${turn} of 29`);
    (await boxes()).forEach((box, i) => {
      box.forEach((edge, side) => assert.ok(Math.abs(edge - first[i][side]) <= 1, `part ${i} moved at turn ${turn}`));
      assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= 1366 && box[3] <= 768, `part ${i} is not in the window`);
    });
  }
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.ok(page.url().endsWith("#turn=10"));
  await page.keyboard.press("k");
  assert.equal(await text("words"), await page.evaluate(() => couperation.games[0].sight.turns[8].words));

  /* A click chooses a cell, a card is tried on it. */
  await page.mouse.click(...(await middle("f3")));
  assert.equal(await page.$eval('[data-part="cell"]', (list) => list.value), "f3");
  await page.select('[data-part="card"]', "23");
  assert.match(await text("trial"), /The orders accept 23 on f3\./);
  await page.mouse.click(...(await middle("g1")));
  assert.equal(await text("trial"), "25 lies on g1.");
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.cell), "g2");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await page.$eval('[aria-pressed="true"][data-cell]', (slot) => slot.dataset.cell), "g3");

  /* What the table sees, the theme, and the record to take away. */
  await click('[data-view][value="table"] + span');
  assert.equal(await page.$eval('[data-pile="hand-0"] .card.back span', (node) => node.textContent), "?");
  await click('[data-view][value="all"] + span');
  await click("#theme");
  await click("#theme");
  await page.reload();
  assert.equal(await page.$eval("html", (node) => node.dataset.theme), "dark");
  await click('[data-part="download"]');
  await settled(async () => (await readdir(folder)).join(), "thursday.cgn");
  await settled(() => readFile(join(folder, "thursday.cgn"), "utf8"), await readFile(record, "utf8"));

  /* On a phone: a tap, and what if comes up below the tower. */
  await page.setViewport({ width: 390, height: 844, hasTouch: true });
  await page.goto("about:blank");
  await page.goto(`${address}#turn=9`);
  for (const box of await boxes()) {
    const [left, top, right, bottom] = box;
    assert.ok(left >= 0 && top >= 0 && right <= 390 && bottom <= 844, `${box} is not in the window`);
  }
  await page.touchscreen.tap(...(await middle("f3")));
  assert.equal(await page.$eval('[data-part="cell"]', (list) => list.value), "f3");
  assert.ok(await page.$eval("[data-sheet]", (sheet) => sheet.getBoundingClientRect().bottom <= innerHeight + 1));
  assert.deepEqual(complaints, []);
  console.log("the journey is done");
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
