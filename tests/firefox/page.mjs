/* What the journeys through Firefox share. */
import assert from "node:assert/strict";

/** A page of a laptop's size at an address, what it complains of, and a real click on what a selector finds. */
export async function opened(browser, address) {
  console.log(await browser.version());
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.setViewport({ width: 1366, height: 768 });
  await page.goto(address);
  return { page, complaints, click: (selector) => page.locator(selector).click() };
}

/** Wait until what is read is as wanted, for ten seconds at most. */
export async function settled(read, wanted) {
  for (let tries = 0; tries < 400 && (await read()) !== wanted; tries += 1) {
    await new Promise((go) => setTimeout(go, 25));
  }
  assert.equal(await read(), wanted);
}
