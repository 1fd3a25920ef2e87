/* What the scripts of the board's page share: its elements by their ids, questions to the board, what is
   given and remembered. */
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
  if (!ok) at("notices").textContent = said?.said ?? "";
}

export const query = (path, places) => `${path}?${new URLSearchParams(places)}`;
