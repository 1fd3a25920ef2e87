/* What the scripts of the board's page share: its elements by their ids, questions to the board, what is
   given and remembered. */
import { element, say } from "/static/shared.js";

export const at = (id) => document.getElementById(id);

/** Give a property of several elements, by their ids, its values. */
export function put(property, values) {
  for (const [id, value] of Object.entries(values)) at(id)[property] = value;
}

/** The name of the file that is shown. */
export const file = () => document.body.dataset.file || at("file").value || null;

/** Which buttons, by their ids, can be pressed; one that cannot keeps the focus. */
export function able(buttons) {
  for (const [id, can] of Object.entries(buttons)) at(id).setAttribute("aria-disabled", String(!can));
}

/** Call `act` when a button is pressed that can be. */
export function pressed(id, act) {
  at(id).addEventListener("click", () => {
    if (at(id).getAttribute("aria-disabled") !== "true") act();
  });
}

/** What was typed into a field behind what was `sent` of it. */
export function since(id, sent) {
  const { value } = at(id);
  return value.startsWith(sent) ? value.slice(sent.length) : value;
}

/** Call `act` in place of sending a form. */
export function submitted(id, act) {
  at(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

let busy = 0;

/** Work that is under way: `data-busy` of the page counts it, so that its end can be waited for. */
export async function during(work) {
  const told = document.documentElement.dataset;
  told.busy = ++busy;
  try {
    return await work;
  } finally {
    told.busy = --busy;
  }
}

let over = () => {};
let pressing = null;

addEventListener("pointerdown", ({ target }) => {
  over();
  if (target.closest("button, [role=button]")) pressing = new Promise((done) => { over = done; });
}, true);
for (const end of ["pointerup", "pointercancel", "contextmenu"]) {
  addEventListener(end, () => requestAnimationFrame(over), true);
}

/** No answer is heard while something is pressed: a browser makes no click of a press whose place was drawn anew. */
async function released() {
  for (let held; held !== pressing;) await (held = pressing);
}

/** A question to the board: the answer tells whether it is one, its status, and what was said. */
export const ask = (path, body) => during(asked(path, body));

async function asked(path, body) {
  const settings = body === undefined ? {} :
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, settings);
    const type = answer.headers.get("content-type") ?? "";
    const said = type.startsWith("application/json") ? await answer.json() : await answer.text();
    await released();
    return { ok: answer.ok, status: answer.status, said };
  } catch {
    return { ok: false, status: 0, said: null };
  }
}

/** What the page was given: rulebooks, sizes, and what its user's boards remember. */
export const SETUP = JSON.parse(at("setup")?.textContent ?? "{}");

/** Have it remembered for all boards of this user; it is told where that cannot be. */
export async function remember(change) {
  const { ok, said } = await ask("/api/remember", change);
  if (!ok) at("notices").append(element("p", {}, said?.said ?? ""));
}

export const query = (path, places) => `${path}?${new URLSearchParams(places)}`;

/* Hearing */

const SILENCE = 15_000;
const AGAIN = { 0: 1_500 };

/** Word of the board: `open` is called when it is heard, perhaps again, `changed` with each word of another revision.
 * Where it is not heard any more that is told, and tried again; who is let in no more is told what is `closed`. */
export class Link {
  constructor(heirs) {
    this.heirs = heirs;
    addEventListener("offline", () => this.cut());
    addEventListener("online", () => this.listen());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.listen();
    });
    this.listen();
  }

  listen() {
    this.close();
    this.silence = setTimeout(() => this.cut(), SILENCE);
    const events = this.events = new EventSource("/api/events");
    for (const kind of ["open", "changed", "still"]) events.addEventListener(kind, () => this.heard());
    events.addEventListener("open", () => this.heirs.open());
    events.addEventListener("changed", (event) => this.heirs.changed(JSON.parse(event.data)));
    events.addEventListener("error", () => this.cut());
  }

  close() {
    this.events?.close();
    clearTimeout(this.silence);
    clearTimeout(this.again);
  }

  heard() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.cut(), SILENCE);
    this.tell("live", say("liveboard_watch_live"));
  }

  /** Nothing is heard any more: it is told, and tried again. */
  async cut() {
    this.close();
    const { events } = this;
    this.tell("cut", say("liveboard_watch_cut", { time: this.since ??= new Date().toLocaleTimeString() }));
    const { status } = await ask("/api/game");
    if (events !== this.events) return;
    if (status === 403) this.tell("closed", this.heirs.closed);
    if (status === 200) {
      this.tell("slow", say("liveboard_watch_slow"));
      this.heirs.open();
    }
    clearTimeout(this.again);
    this.again = setTimeout(() => this.listen(), AGAIN[status] ?? 4_000);
  }

  tell(kind, text) {
    if (kind === "live" || kind === "slow") this.since = undefined;
    document.documentElement.classList.add("live");
    document.documentElement.dataset.link = at("link").dataset.link = kind;
    if (at("link").textContent !== text) at("link").textContent = text;
  }
}
