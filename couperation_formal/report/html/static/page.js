/* The page: steps, views, links, keys, and what if. */

/** So long autoplay stays at a turn, in milliseconds. */
const PACE = 1400;

class Game {
  constructor(article) {
    this.article = article;
    this.number = Number(article.dataset.game);
    this.data = read(`game-data-${this.number}`);
    this.at = this.data?.start ?? 0;
    this.view = this.data?.view;
    this.filled = false;
    this.trial = null;
    this.chosen = null;
    this.playing = null;
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
    this.article.addEventListener("click", ({ target }) => {
      const bar = target.closest("[data-turn-bar]");
      if (bar) this.go(Number(bar.dataset.turnBar));
    });
    this.strips = new Map([[this.view, this.article.querySelector(".strip")]]);
    on("[data-view]", "change", ({ value }) => this.look(value));
    on('[data-part="names"]', "change", () => this.draw());
    on('[data-part="fill"]', "click", () => this.fill());
    on('[data-part="card"], [data-part="cell"]', "change", () => this.tryIt());
    on('[data-part="clear"]', "click", () => this.clear());
    on('[data-part="copy"]', "click", () => this.copy());
    on('[data-part="link"]', "click", () => this.copyLink());
    on('[data-part="download"]', "click", () => this.save());
    on('[data-part="play"]', "click", () => this.play(!this.playing));
    on("[data-tab]", "click", ({ dataset }) => this.open(dataset.tab));
    for (const list of this.all('[role="tablist"]')) list.addEventListener("keydown", (event) => this.tabKey(event));
    const svg = this.part("tower");
    this.name = Drawing.choosing(svg, this.slots, (cell) => this.pick(cell));
    Drawing.swiped(svg, (way) => this.jump(way > 0 ? "on" : "back"));
    this.open(this.all("[data-tab]")[0].dataset.tab);
  }

  /* Steps */

  jump(where) {
    if (!this.data) return;
    this.play(false);
    const last = this.sight.steps.length - 1;
    this.go({ first: 0, back: this.at - 1, on: this.at + 1, last }[where]);
  }

  go(step, quiet = false) {
    const wanted = Math.min(Math.max(step, 0), this.sight.steps.length - 1);
    if (wanted !== this.at) {
      this.filled = false;
      this.trial = null;
      this.chosen = null;
      this.sheet(false);
    }
    this.at = wanted;
    this.show();
    if (!quiet) link(this);
  }

  look(view) {
    this.view = view;
    this.article.querySelector(".strip")?.replaceWith(this.strip());
    this.show();
  }

  /** The strip of the chosen view: the page's own one with the bars that are others. */
  strip() {
    if (this.strips.has(this.view)) return this.strips.get(this.view);
    const strip = this.strips.get(this.data.view).cloneNode(true);
    const others = this.article.querySelector(`[data-strip="${this.view}"]`).content.querySelector("svg");
    for (const bar of others.querySelectorAll("[data-turn-bar]")) {
      strip.querySelector(`[data-turn-bar="${bar.dataset.turnBar}"]`).replaceWith(bar.cloneNode(true));
    }
    strip.setAttribute("aria-label", others.getAttribute("aria-label"));
    this.strips.set(this.view, strip);
    return strip;
  }

  /** Go on by itself, a turn at a time, to the end; from the end it begins anew. */
  play(on) {
    if (on === Boolean(this.playing)) return;
    clearInterval(this.playing);
    this.playing = null;
    if (on) {
      const last = this.sight.steps.length - 1;
      if (this.at === last) this.go(0);
      this.playing = setInterval(() => {
        this.go(this.at + 1);
        if (this.at === last) this.play(false);
      }, PACE);
    }
    this.part("play").setAttribute("aria-pressed", String(on));
  }

  show() {
    this.reserve();
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

  /**
   * Keep room for the longest turn and for the most cards of each pile, of all views, once: then no step moves anything.
   */
  reserve() {
    if (this.room) return;
    const sights = Object.values(this.data.seen);
    this.room = this.places(sights);
    const { verdicts, opening } = this.data;
    const told = this.sight.steps.map(({ turn, place }, at) => {
      const texts = sights.map(({ turns }) => turns[turn - 1]?.words ?? opening);
      const words = texts.reduce((one, other) => (other.length > one.length ? other : one));
      const remark = this.sight.turns[turn - 1]?.remark ?? "";
      const cause = this.data.cause?.turn === turn ? this.data.cause.words : "";
      const lines = Object.entries({ where: place, words, small: verdicts[at], cause, remark });
      return element("div", { class: "caption" }, ...lines.map(([name, text]) => element("span", { class: name }, text)));
    });
    this.part("sizer").replaceChildren(...told);
  }

  /** How many places each pile takes at most, by its name. */
  places(sights) {
    const found = {};
    const keep = (name, count) => (found[name] = Math.max(found[name] ?? 1, count));
    for (const sight of sights) {
      for (const step of sight.steps) {
        for (const name of ["reserve", "gone"]) keep(name, Table.places(step[name] ?? []));
        (step.hands ?? []).forEach((hand, i) => {
          keep(`hand-${i}`, Table.places(hand, this.drawn(sight, step, i), step.front === i));
        });
      }
    }
    return found;
  }

  tell() {
    const { turn, place } = this.step;
    const { words, remark = "", refused } = this.sight.turns[turn - 1] ?? { words: this.data.opening };
    const cause = this.view === this.data.view && this.data.cause?.turn === turn ? this.data.cause.words : "";
    this.write("where", place);
    this.part("words").replaceChildren(...marked(words, refused?.words));
    this.write("verdict", this.data.verdicts[this.at]);
    this.write("cause", cause);
    this.write("remark", remark);
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
    const near = new Set(this.data.near);
    for (const cell of this.data.home) {
      if (near.has(cell) || this.wide() || this.filled) found.set(cell, { kind: "place", flag: flag(cell) });
    }
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

  /** Whether all cells are shown that can take a card: while one is tried. */
  wide() {
    return this.shownTab === "what-if";
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
    const labels = [...glasses].map(([cell, { kind, text }]) => [cell, this.label(cell, kind, text)]);
    this.name(new Map(labels), this.chosen);
  }

  label(cell, kind, text) {
    return ["up", "down"].includes(kind) ? say("live_cell_taken", { cell, card: text }) : say("live_cell_free", { cell });
  }

  /* What stands beside or below the tower: one panel at a time */

  open(name) {
    const before = this.shownTab;
    this.shownTab = name;
    for (const tab of this.all("[data-tab]")) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.setAttribute("tabindex", chosen ? 0 : -1);
    }
    for (const panel of this.all("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
    if (before === name || !this.room) return;
    if (!this.wide()) [this.trial, this.chosen] = [null, null];
    this.sheet(false);
    this.show();
  }

  tabKey(event) {
    const tabs = [...this.all("[data-tab]")];
    const at = tabs.indexOf(event.target);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = tabs[(next + tabs.length) % tabs.length];
    tab.focus();
    this.open(tab.dataset.tab);
  }

  /** On a narrow window what if stands over what is below the tower, while a cell is chosen. */
  sheet(on) {
    for (const panel of this.all('[data-panel="what-if"]')) panel.toggleAttribute("data-sheet", on);
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
      const hand = name.startsWith("hand-") ? Number(name.slice(5)) : null;
      const cards = (hand === null ? step[name] : step.hands?.[hand]) ?? [];
      const front = hand !== null && step.front === hand;
      const refused = hand === null ? [] : this.drawn(this.sight, step, hand);
      Table.show(pile, cards, this.data.marks, { front, refused, room: this.room[name] });
    }
    const deck = this.part("deck");
    const top = step.top ?? [];
    const known = `${top.slice(0, 6).join(" ")}${top.length > 6 ? " …" : ""}`;
    const counted = { count: step.deck ?? 0, top: known };
    if (deck) deck.textContent = say(known ? "live_deck_top" : "live_deck", counted);
    this.write("mover", step.mover ?? "");
  }

  /** The cards that came to a hand by a draw that is refused. */
  drawn({ turns }, { turn }, hand) {
    const { refused, player } = turns[turn - 1] ?? {};
    return refused && player === hand ? refused.cards : [];
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
    [card.value, cell.value] = this.trial ? [this.trial.card, this.trial.cell] : ["", this.chosen ?? ""];
    this.report();
  }

  /** Choose a cell of the picture: what if tells of it, and lays the card there that is chosen. */
  pick(cell) {
    const card = this.part("card").value;
    this.play(false);
    this.open("what-if");
    this.chosen = cell;
    this.sheet(true);
    this.tryIt(card, cell);
  }

  clear() {
    this.sheet(false);
    this.tryIt("", "");
  }

  /** Try the card and the cell that are chosen; those that are given are chosen first. */
  tryIt(...given) {
    const selects = [this.part("card"), this.part("cell")];
    given.forEach((value, i) => (selects[i].value = value));
    const [card, cell] = selects.map((each) => each.value);
    this.chosen = cell || (given[1] ?? null) || null;
    this.filled = false;
    this.trial = card && cell ? trial(this.data, this.step, card, cell) : null;
    this.draw();
    this.answer();
    this.report();
  }

  report() {
    const told = this.part("trial");
    const lines = this.trial ? this.trial.lines : [this.hint()];
    told.replaceChildren(...lines.map((line) => element("p", {}, line)));
    told.classList.toggle("no", Boolean(this.trial && !this.trial.accepted));
    const position = this.trial ? linesWith(this.step.lines, this.trial) : this.step.lines;
    this.part("cgn").value = [...this.sight.head, ...position, ""].join("\n");
  }

  /** What to do, or why nothing can be tried on the chosen cell. */
  hint() {
    const card = this.glasses().get(this.chosen);
    if (["up", "down"].includes(card?.kind)) return say("live_lies", { card: card.text, cell: this.chosen });
    if (Object.keys(this.step.fits).length === 0) return say("live_no_card");
    return say("live_choose");
  }

  async copy() {
    const text = this.part("cgn");
    text.select();
    const done = await copied(text.value);
    this.write("copy", say(done ? "live_copied" : "live_press"));
  }

  /** Hand the record over as a file, as far as the chosen view has seen it. */
  save() {
    const name = this.view === "all" ? this.data.name : `${this.data.name}-${this.view}`;
    download(`${name}.cgn`, [...this.sight.cgn, ""].join("\n"));
  }

  /** Copy the page's address with this game and turn in it. */
  async copyLink() {
    link(this);
    const done = await copied(`${location.href.split("#")[0]}#${place(this)}`);
    this.write("link", say(done ? "live_copied" : "live_in_address"));
    setTimeout(() => this.write("link", say("live_copy_link")), 2000);
  }
}

/** A text as nodes, with a part of it marked as refused. */
function marked(text, part) {
  const at = part ? text.indexOf(part) : -1;
  if (at < 0) return [text];
  return [text.slice(0, at), element("mark", { class: "wrong" }, part), text.slice(at + part.length)];
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

const place = ({ number, step }) => (games.length > 1 ? `game=${number}&turn=${step.turn}` : `turn=${step.turn}`);

function link(game) {
  try {
    history.replaceState(null, "", `#${place(game)}`);
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
  if (event.target.closest?.("select, textarea, input:not([type=range], [type=radio], [type=checkbox])")) return;
  const letters = { k: "back", j: "on" };
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  const where = letters[event.key] ?? (event.target.closest?.("input") ? undefined : keys[event.key]);
  if (!where || !current) return;
  event.preventDefault();
  current.jump(where);
});

const THEME = "couperation-theme";
const themes = ["auto", "light", "dark"];
const names = { auto: say("live_auto"), light: say("live_light"), dark: say("live_dark") };
const themeButton = document.getElementById("theme");

function dress(theme) {
  const { dataset } = document.documentElement;
  if (theme === "auto") delete dataset.theme;
  else dataset.theme = theme;
  themeButton.querySelector("[data-theme-name]").textContent = names[theme];
}

/** The theme that was chosen last, here or on another page from the same place; a browser may refuse to tell. */
function remembered() {
  try {
    return localStorage.getItem(THEME);
  } catch {
    return null;
  }
}

themeButton.addEventListener("click", () => {
  const now = document.documentElement.dataset.theme ?? "auto";
  const theme = themes[(themes.indexOf(now) + 1) % themes.length];
  dress(theme);
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    /* it is not remembered then */
  }
});

if (themes.includes(remembered())) dress(remembered());
if (current) addEventListener("hashchange", follow);
document.documentElement.classList.add("live");
if (current) follow();
window.couperation = { games, judged };
