/* The page: steps, views, links, and what if. */

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

class Game {
  constructor(article) {
    this.article = article;
    this.number = Number(article.dataset.game);
    this.data = read(`game-data-${this.number}`);
    this.at = this.data?.start ?? 0;
    this.view = this.data?.view;
    this.filled = false;
    this.trial = null;
    this.slots = new Map([...this.all("[data-cell]")].map((slot) => [slot.dataset.cell, slot]));
    if (this.data) this.listen();
  }

  part(name) {
    return this.article.querySelector(`[data-part="${name}"]`);
  }

  write(name, text) {
    this.part(name).textContent = text;
  }

  /** What the chosen view has seen of the game. */
  get sight() {
    return this.data.seen[this.view];
  }

  get step() {
    return this.sight.steps[this.at];
  }

  all(selector) {
    return this.article.querySelectorAll(selector);
  }

  listen() {
    const on = (selector, event, act) => {
      for (const each of this.all(selector)) each.addEventListener(event, () => act(each));
    };
    on('[data-part="slider"]', "input", ({ value }) => this.go(Number(value)));
    on("[data-go]", "click", ({ dataset }) => this.jump(dataset.go));
    on("[data-turn-bar]", "click", ({ dataset }) => this.go(Number(dataset.turnBar)));
    on("[data-view]", "change", ({ value }) => this.look(value));
    on("[data-cell]", "click", ({ dataset }) => this.pick(dataset.cell));
    on('[data-part="names"]', "change", () => this.draw());
    on('[data-part="fill"]', "click", () => this.fill());
    on('[data-part="what-if"]', "toggle", () => this.opened());
    on('[data-part="card"], [data-part="cell"]', "change", () => this.tryIt());
    on('[data-part="clear"]', "click", () => this.tryIt("", ""));
    on('[data-part="copy"]', "click", () => this.copy());
  }

  /* Steps */

  jump(where) {
    if (!this.data) return;
    const last = this.sight.steps.length - 1;
    this.go({ first: 0, back: this.at - 1, on: this.at + 1, last }[where]);
  }

  go(step, quiet = false) {
    const wanted = Math.min(Math.max(step, 0), this.sight.steps.length - 1);
    if (wanted !== this.at) {
      this.filled = false;
      this.trial = null;
    }
    this.at = wanted;
    this.show();
    if (!quiet) link(this);
  }

  look(view) {
    this.view = view;
    this.show();
  }

  show() {
    this.draw();
    this.tell();
    this.piles();
    this.answer();
    this.choices();
    this.controls();
  }

  controls() {
    const last = this.sight.steps.length - 1;
    const slider = this.part("slider");
    if (slider) {
      slider.value = this.at;
      slider.setAttribute("aria-valuetext", this.step.place);
    }
    for (const button of this.all("[data-go]")) {
      const end = ["first", "back"].includes(button.dataset.go) ? 0 : last;
      button.setAttribute("aria-disabled", String(this.at === end));
    }
    for (const bar of this.all("[data-turn-bar]")) {
      bar.classList.toggle("now", Number(bar.dataset.turnBar) === this.at);
    }
    [...this.all("[data-cgn]")].forEach((words, turn) => {
      if (turn > 0) words.textContent = this.sight.turns[turn - 1].text;
    });
    for (const row of this.all("[data-turn]")) {
      const turn = Number(row.dataset.turn);
      const now = turn === this.step.turn;
      if (now) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
      if (now) reveal(row.closest("li") ?? row);
    }
  }

  tell() {
    const { turn, place } = this.step;
    this.write("where", place);
    this.write("words", turn > 0 ? this.sight.turns[turn - 1].words : this.data.opening);
    this.write("verdict", this.data.verdicts[this.at]);
    this.write("remark", this.sight.turns[turn - 1]?.remark ?? "");
  }

  /* The tower */

  glass(text, flag) {
    if (text.startsWith("~")) return { kind: "down", text, flag };
    return { kind: "up", text, mark: this.data.marks[text], flag };
  }

  glasses() {
    const { step, trial } = this;
    const found = new Map();
    const conflict = new Set(trial ? trial.conflict : this.filled ? step.outlook.conflict : step.conflict);
    const flag = (cell) => (conflict.has(cell) ? "conflict" : cell === step.laid && !trial ? "laid" : undefined);
    for (const cell of this.data.home) found.set(cell, { kind: "place", flag: flag(cell) });
    for (const cell of this.openCells()) {
      if (found.has(cell) || this.wide()) found.set(cell, { kind: "open", flag: flag(cell) });
    }
    for (const [cell, text] of Object.entries(step.cells)) {
      found.set(cell, this.glass(text, flag(cell)));
    }
    if (this.filled) {
      for (const [cell, value] of Object.entries(step.outlook.filling ?? {})) {
        found.set(cell, { kind: "fill", text: String(value), flag: flag(cell) });
      }
    }
    if (step.refused && !trial) {
      const { cell, card } = step.refused;
      found.set(cell, this.glass(card, "refused"));
    }
    if (trial) found.set(trial.cell, this.glass(trial.card, trial.accepted ? "laid" : "refused"));
    for (const cell of conflict) if (!found.has(cell)) found.set(cell, { kind: "place", flag: "conflict" });
    return found;
  }

  /** Whether cells outside the pyramid at home are shown: where cards lie there, or while a card is tried. */
  wide() {
    return this.part("what-if").open;
  }

  /** The empty cells that have their supports; what may be the apex is another question. */
  openCells() {
    const { fits } = this.step;
    return Object.keys(fits).filter((cell) => [undefined, "TOW08"].includes(fits[cell].bar));
  }

  draw() {
    const glasses = this.glasses();
    const far = this.wide() || [...glasses.keys()].some((cell) => !this.data.near.includes(cell));
    this.part("tower").setAttribute("viewBox", far ? this.data.frames.all : this.data.frames.home);
    this.part("far").toggleAttribute("hidden", !far);
    this.part("near").toggleAttribute("hidden", far);
    Drawing.draw(this.slots, glasses, this.part("names").checked);
    const cells = Object.entries(this.step.cells);
    const laid = cells.map(([cell, text]) => say("card_on", { card: text, cell }));
    this.write("tower-title", say("live_tower", { count: laid.length, place: this.step.place }));
    this.write("tower-text", `${laid.join(", ")}.`);
  }

  opened() {
    if (!this.wide()) this.trial = null;
    this.draw();
    this.answer();
    this.report();
  }

  fill() {
    this.filled = !this.filled;
    this.trial = null;
    this.report();
    this.draw();
    this.answer();
  }

  /* What lies on the table */

  piles() {
    const { step } = this;
    for (const pile of this.all("[data-pile]")) {
      const name = pile.dataset.pile;
      const hand = name.startsWith("hand-") ? name.slice(5) : null;
      const cards = hand === null ? step[name] : step.hands?.[Number(hand)];
      this.cards(pile, cards ?? [], hand !== null && String(step.front) === hand);
    }
    const deck = this.part("deck");
    const top = step.top ?? [];
    const known = `${top.slice(0, 6).join(" ")}${top.length > 6 ? " …" : ""}`;
    const counted = { count: step.deck ?? 0, top: known };
    if (deck) deck.textContent = say(known ? "live_deck_top" : "live_deck", counted);
    this.write("mover", step.mover ?? "");
  }

  cards(list, cards, front) {
    const unseen = cards.filter((card) => card === "?").length;
    const items = cards.filter((card) => card !== "?").map((card) => this.card(card));
    if (front) items.push(this.card("F", say("live_in_front")));
    if (unseen) {
      const back = element("li", { class: "card back" }, element("span", {}, "?"));
      if (unseen > 1) back.append(element("span", { class: "times" }, `× ${unseen}`));
      back.append(element("span", { class: "hidden" }, ` ${say("live_hidden", { count: unseen })}`));
      items.push(back);
    }
    if (items.length === 0) items.push(element("li", { class: "none" }, say("live_none")));
    list.replaceChildren(...items);
  }

  card(text, note) {
    const mark = this.data.marks[text];
    const item = element("li", { class: "card" }, element("span", { class: "value" }, text));
    if (mark) {
      const sign = { 1: "♦", 2: "♦♦", H: "♥" }[mark];
      item.append(element("span", { class: "mark", "aria-hidden": "true" }, sign));
      item.append(element("span", { class: "hidden" }, ` ${say("live_marked", { mark })}`));
    } else if (text === "F") item.append(element("span", { class: "mark" }, note ?? "★"));
    return item;
  }

  /* Can the tower still be completed */

  answer() {
    const { outlook, told } = this.step;
    const dead = outlook.answer === "deadlocked";
    this.part("outlook").replaceChildren(...told.map((line, i) => element("p", i ? {} : { class: "answer" }, line)));
    const button = this.part("fill");
    button.hidden = this.wide() || !(dead || outlook.filling);
    const [conflict, filling] = this.filled
      ? ["live_hide_conflict", "live_hide_filling"]
      : ["live_show_conflict", "live_show_filling"];
    button.textContent = say(dead ? conflict : filling);
    button.setAttribute("aria-pressed", String(this.filled));
  }

  /* What if */

  choices() {
    const [card, cell] = [this.part("card"), this.part("cell")];
    const values = this.step.cards.map((value) => [value, value === "F" ? say("live_finish") : value]);
    refill(card, [["", say("live_a_card")], ...values]);
    const groups = new Map([[say("live_now"), []]]);
    for (const [name, { bar }] of Object.entries(this.step.fits)) {
      const group = bar ? say("live_not_now", { clause: bar }) : say("live_now");
      groups.set(group, [...(groups.get(group) ?? []), name]);
    }
    refill(cell, [["", say("live_a_cell")]], [...groups]);
    [card.value, cell.value] = this.trial ? [this.trial.card, this.trial.cell] : ["", ""];
    this.report();
  }

  pick(cell) {
    if (this.wide() && !(cell in this.step.cells)) this.tryIt(this.part("card").value, cell);
  }

  /** Try the card and the cell that are chosen; those that are given are chosen first. */
  tryIt(...given) {
    const selects = [this.part("card"), this.part("cell")];
    given.forEach((value, i) => (selects[i].value = value));
    const [card, cell] = selects.map((each) => each.value);
    this.filled = false;
    this.trial = card && cell ? trial(this.data, this.step, card, cell) : null;
    this.draw();
    this.report();
  }

  report() {
    const told = this.part("trial");
    const none = Object.keys(this.step.fits).length === 0;
    const lines = this.trial ? this.trial.lines : [say(none ? "live_no_card" : "live_choose")];
    told.replaceChildren(...lines.map((line) => element("p", {}, line)));
    told.classList.toggle("no", Boolean(this.trial && !this.trial.accepted));
    const position = this.trial ? linesWith(this.step.lines, this.trial) : this.step.lines;
    this.part("cgn").value = [...this.sight.head, ...position, ""].join("\n");
  }

  async copy() {
    const text = this.part("cgn");
    text.select();
    const written = navigator.clipboard?.writeText(text.value) ?? Promise.reject();
    const done = await written.then(() => true, () => document.execCommand("copy"));
    this.write("copy", say(done ? "live_copied" : "live_press"));
  }
}

function refill(select, options, groups = []) {
  const option = ([value, text]) => element("option", { value }, text);
  const group = ([label, cells]) => element("optgroup", { label }, ...cells.map((cell) => option([cell, cell])));
  const parts = groups.filter(([, cells]) => cells.length > 0).map(group);
  select.replaceChildren(...options.map(option), ...parts);
}

/* Links, keys, themes */

const games = [...document.querySelectorAll("article[data-game]")].map((article) => new Game(article));
let current = games[0];

function link(game) {
  const words = games.length > 1 ? `game=${game.number}&turn=${game.step.turn}` : `turn=${game.step.turn}`;
  try {
    history.replaceState(null, "", `#${words}`);
  } catch {
    /* a page without an address keeps none */
  }
}

function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const named = games.find((each) => each.number === Number(wanted.get("game")));
  const game = named ?? (wanted.has("game") ? games[0] : current);
  choose(game);
  if (!game.data) return;
  if (!wanted.has("turn")) return game.show();
  const step = game.sight.steps.findIndex((each) => String(each.turn) === wanted.get("turn"));
  game.go(step < 0 ? game.sight.steps.length - 1 : step, true);
}

function choose(game) {
  current = game;
  for (const each of games) each.article.hidden = each !== game;
  for (const entry of document.querySelectorAll("[data-open]")) {
    if (Number(entry.dataset.open) === game.number) entry.setAttribute("aria-current", "true");
    else entry.removeAttribute("aria-current");
  }
}

/** Scroll a row into its own list's view, never the page. */
function reveal(row) {
  const list = row.closest("[data-scroll]");
  if (!list) return;
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const where = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  if (!where || !current) return;
  event.preventDefault();
  current.jump(where);
});

const themes = ["auto", "light", "dark"];
const names = { auto: say("live_auto"), light: say("live_light"), dark: say("live_dark") };
const themeButton = document.getElementById("theme");
themeButton.addEventListener("click", () => {
  const { dataset } = document.documentElement;
  const theme = themes[(themes.indexOf(dataset.theme ?? "auto") + 1) % themes.length];
  if (theme === "auto") delete dataset.theme;
  else dataset.theme = theme;
  themeButton.querySelector("[data-theme-name]").textContent = names[theme];
});

if (current) addEventListener("hashchange", follow);
document.documentElement.classList.add("live");
if (current) follow();
window.couperation = { games, judged };
