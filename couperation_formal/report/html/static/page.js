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
    this.view = "all";
    this.filled = false;
    this.trial = null;
    this.slots = new Map([...article.querySelectorAll("[data-cell]")].map((slot) => [slot.dataset.cell, slot]));
    if (this.data) this.listen();
  }

  part(name) {
    return this.article.querySelector(`[data-part="${name}"]`);
  }

  get step() {
    return this.data.steps[this.at];
  }

  listen() {
    const slider = this.part("slider");
    slider?.addEventListener("input", () => this.go(Number(slider.value)));
    for (const button of this.article.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.jump(button.dataset.go));
    }
    for (const bar of this.article.querySelectorAll("[data-turn-bar]")) {
      bar.addEventListener("click", () => this.go(Number(bar.dataset.turnBar)));
    }
    for (const choice of this.article.querySelectorAll("[data-view]")) {
      choice.addEventListener("change", () => this.look(choice.value));
    }
    this.part("names")?.addEventListener("change", () => this.draw());
    this.part("fill")?.addEventListener("click", () => this.fill());
    this.part("what-if")?.addEventListener("toggle", () => this.opened());
    this.part("card")?.addEventListener("change", () => this.tryIt());
    this.part("cell")?.addEventListener("change", () => this.tryIt());
    this.part("clear")?.addEventListener("click", () => this.clearTrial());
    this.part("copy")?.addEventListener("click", () => this.copy());
    for (const [cell, slot] of this.slots) slot.addEventListener("click", () => this.pick(cell));
  }

  /* Steps */

  jump(where) {
    if (!this.data) return;
    const last = this.data.steps.length - 1;
    this.go({ first: 0, back: this.at - 1, on: this.at + 1, last }[where]);
  }

  go(step, quiet = false) {
    const wanted = Math.min(Math.max(step, 0), this.data.steps.length - 1);
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
    const last = this.data.steps.length - 1;
    const slider = this.part("slider");
    if (slider) {
      slider.value = this.at;
      slider.setAttribute("aria-valuetext", this.place());
    }
    for (const button of this.article.querySelectorAll("[data-go]")) {
      const end = ["first", "back"].includes(button.dataset.go) ? 0 : last;
      button.setAttribute("aria-disabled", String(this.at === end));
    }
    for (const bar of this.article.querySelectorAll("[data-turn-bar]")) {
      bar.classList.toggle("now", Number(bar.dataset.turnBar) === this.at);
    }
    for (const row of this.article.querySelectorAll("[data-turn]")) {
      const turn = Number(row.dataset.turn);
      const now = turn === this.step.turn;
      if (now) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
      const words = row.querySelector("[data-cgn]");
      if (words && turn > 0) words.textContent = this.shown(turn, "text");
      if (now) reveal(row.closest("li") ?? row);
    }
  }

  place() {
    const { turn } = this.step;
    return turn === 0 ? this.data.zero : `Turn ${turn} of ${this.data.turns.length}`;
  }

  /** A turn's text or words, as far as the chosen view sees it. */
  shown(turn, what) {
    const data = this.data.turns[turn - 1];
    const open = this.view === "all" || this.view === String(data.player);
    return open ? data[what] : data[`public_${what}`] ?? data[what];
  }

  tell() {
    const { turn } = this.step;
    const data = turn > 0 ? this.data.turns[turn - 1] : null;
    this.part("where").textContent = this.place();
    const words = data === null ? this.data.opening : `${data.name} ${this.shown(turn, "words")}.`;
    this.part("words").textContent = words;
    this.part("verdict").textContent = this.data.verdicts[this.at];
    const remark = this.part("remark");
    remark.textContent = this.view === "all" && data ? data.remark ?? "" : "";
  }

  /* The tower */

  /** What a laid card shows to the chosen view. */
  face(cell, text) {
    if (!text.startsWith("~") || this.view === "all") return text;
    const seer = this.step.knows?.[cell];
    return seer === -1 || String(seer) === this.view ? text : "~?";
  }

  glass(text, flag) {
    if (text.startsWith("~")) return { kind: "down", text, flag };
    return { kind: "up", text, mark: this.data.marks[text], flag };
  }

  glasses() {
    const { step, trial } = this;
    const found = new Map();
    const conflict = new Set(trial ? trial.conflict : this.filled ? step.outlook.conflict : step.conflict);
    const flag = (cell) => (conflict.has(cell) ? "conflict" : cell === step.laid && !trial ? "laid" : undefined);
    for (const cell of this.home()) found.set(cell, { kind: "place", flag: flag(cell) });
    for (const cell of this.openCells()) {
      if (found.has(cell) || this.wide()) found.set(cell, { kind: "open", flag: flag(cell) });
    }
    for (const [cell, text] of Object.entries(step.cells)) {
      found.set(cell, this.glass(this.face(cell, text), flag(cell)));
    }
    if (this.filled) {
      for (const [cell, value] of Object.entries(step.outlook.filling ?? {})) {
        found.set(cell, { kind: "fill", text: String(value), flag: flag(cell) });
      }
    }
    if (step.refused && !trial) {
      const { cell, card } = step.refused;
      const hidden = card.startsWith("~") && this.view !== "all";
      found.set(cell, this.glass(hidden ? "~?" : card, "refused"));
    }
    if (trial) found.set(trial.cell, this.glass(trial.card, trial.accepted ? "laid" : "refused"));
    for (const cell of conflict) if (!found.has(cell)) found.set(cell, { kind: "place", flag: "conflict" });
    return found;
  }

  home() {
    return this.data.home;
  }

  /** Whether cells outside the pyramid at home are shown: where cards lie there, or while a card is tried. */
  wide() {
    return Boolean(this.part("what-if")?.open);
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
    Drawing.draw(this.slots, glasses, this.part("names")?.checked);
    const laid = Object.entries(this.step.cells).map(([cell, text]) => `${this.face(cell, text)} on ${cell}`);
    this.part("tower-title").textContent = `The tower: ${plural(laid.length, "card")} laid. ${this.place()}`;
    this.part("tower-text").textContent = `${laid.join(", ")}.`;
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
    const { step, data } = this;
    const hidden = (owner) => this.view !== "all" && this.view !== owner;
    for (const pile of this.article.querySelectorAll("[data-pile]")) {
      const name = pile.dataset.pile;
      const hand = name.startsWith("hand-") ? name.slice(5) : null;
      let cards = hand === null ? step[name] ?? [] : step.hands?.[Number(hand)] ?? [];
      const secret = hand === null ? name !== "reserve" && this.view !== "all" : hidden(hand);
      if (secret) cards = cards.map((card) => (card === "F" ? card : "?"));
      this.cards(pile, cards, hand !== null && String(step.front) === hand);
    }
    const deck = this.part("deck");
    const top = this.view === "all" ? step.top ?? [] : [];
    const known = `${top.slice(0, 6).join(" ")}${top.length > 6 ? " …" : ""}`;
    if (deck) deck.textContent = plural(step.deck ?? 0, "card") + (top.length > 0 ? `, from the top ${known}` : "");
    const moves = step.mover !== undefined && step.mover !== null && !step.refused;
    this.part("mover").textContent = moves ? `${data.players[step.mover]} is to move` : "";
  }

  cards(list, cards, front) {
    const unseen = cards.filter((card) => card === "?").length;
    const items = cards.filter((card) => card !== "?").map((card) => this.card(card));
    if (front) items.push(this.card("F", "in front"));
    if (unseen) {
      const back = element("li", { class: "card back" }, element("span", {}, "?"));
      if (unseen > 1) back.append(element("span", { class: "times" }, `× ${unseen}`));
      back.append(element("span", { class: "hidden" }, ` ${plural(unseen, "unseen card")}`));
      items.push(back);
    }
    if (items.length === 0) items.push(element("li", { class: "none" }, "none"));
    list.replaceChildren(...items);
  }

  card(text, note) {
    const mark = this.data.marks[text];
    const item = element("li", { class: "card" }, element("span", { class: "value" }, text));
    if (mark) {
      const signs = { 1: ["♦", "one diamond"], 2: ["♦♦", "two diamonds"], H: ["♥", "heart"] };
      item.append(element("span", { class: "mark", "aria-hidden": "true" }, signs[mark][0]));
      item.append(element("span", { class: "hidden" }, ` ${signs[mark][1]}`));
    } else if (text === "F") item.append(element("span", { class: "mark" }, note ?? "★"));
    return item;
  }

  /* Can the tower still be completed */

  answer() {
    const { outlook } = this.step;
    const told = this.part("outlook");
    const list = [];
    const say = (style, text) => list.push(element("p", style ? { class: style } : {}, text));
    const full = outlook.answer === "completable" && Object.keys(outlook.filling ?? {}).length === 0;
    const before = this.step.refused || this.step.turn >= this.data.states ? "Before this turn, the" : "The";
    const dead = "tower is deadlocked: the cards that are left cannot complete it as it stands.";
    if (full) say("answer", `${before} tower is full.`);
    else if (outlook.answer === "completable") say("answer", `${before} tower can still be completed.`);
    else if (outlook.answer === "deadlocked") say("answer dead", `${before} ${dead}`);
    else say("answer", `${UNTOLD}.`);
    for (const reason of outlook.reasons ?? []) say("", `${reason[0].toUpperCase()}${reason.slice(1)}.`);
    if (outlook.answer === "completable" && outlook.slack !== undefined) {
      say("", `Slack ${outlook.slack}. Tightest: ${outlook.tight}.`);
    }
    const { death } = this.data;
    if (death && this.step.turn === death.turn) death.lines.forEach((line) => say("", line));
    told.replaceChildren(...list);
    const button = this.part("fill");
    button.hidden = full || outlook.answer === "unknown" || this.wide();
    const what = outlook.answer === "deadlocked" ? "the cells in conflict" : "a filling";
    button.textContent = `${this.filled ? "Hide" : "Show"} ${what}`;
    button.setAttribute("aria-pressed", String(this.filled));
  }

  /* What if */

  choices() {
    const [card, cell] = [this.part("card"), this.part("cell")];
    if (!card) return;
    const values = this.step.cards.map((value) => [value, value === "F" ? "F, the Finish card" : value]);
    refill(card, [["", "a card"], ...values]);
    const groups = new Map([["can be laid now", []]]);
    for (const [name, { bar }] of Object.entries(this.step.fits)) {
      const group = bar ? `not now: ${bar}` : "can be laid now";
      groups.set(group, [...(groups.get(group) ?? []), name]);
    }
    refill(cell, [["", "a cell"]], [...groups]);
    if (!this.trial) [card.value, cell.value] = ["", ""];
    this.report();
  }

  pick(cell) {
    if (!this.wide() || cell in this.step.cells) return;
    this.part("cell").value = cell;
    this.tryIt();
  }

  clearTrial() {
    [this.part("card").value, this.part("cell").value] = ["", ""];
    this.tryIt();
  }

  tryIt() {
    const [card, cell] = [this.part("card").value, this.part("cell").value];
    this.filled = false;
    this.trial = card && cell ? trial(this.data, this.step, card, cell) : null;
    this.draw();
    this.report();
  }

  report() {
    const told = this.part("trial");
    if (!told) return;
    const none = Object.keys(this.step.fits).length === 0;
    const hint = none
      ? "The tower is full or out of order: no card can be laid."
      : "Choose a card and a free cell; in the picture a click chooses the cell.";
    const lines = this.trial ? this.trial.lines : [hint];
    told.replaceChildren(...lines.map((line) => element("p", {}, line)));
    told.classList.toggle("no", Boolean(this.trial && !this.trial.accepted));
    const position = this.trial ? linesWith(this.step.lines, this.trial) : this.step.lines;
    this.part("cgn").value = [...this.data.head, ...position, ""].join("\n");
  }

  async copy() {
    const text = this.part("cgn");
    const button = this.part("copy");
    text.select();
    let done = false;
    try {
      await navigator.clipboard.writeText(text.value);
      done = true;
    } catch {
      done = document.execCommand("copy");
    }
    button.textContent = done ? "Copied" : "Press Ctrl+C";
  }
}

function refill(select, options, groups = []) {
  const before = select.value;
  const option = ([value, text]) => element("option", { value }, text);
  const filled = groups.filter(([, cells]) => cells.length > 0);
  const all = (cells) => cells.map((cell) => option([cell, cell]));
  const parts = filled.map(([label, cells]) => element("optgroup", { label }, ...all(cells)));
  select.replaceChildren(...options.map(option), ...parts);
  select.value = [...select.options].some((each) => each.value === before) ? before : "";
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
  const turn = wanted.get("turn");
  if (turn !== null && /^\d+$/.test(turn)) {
    const step = game.data.steps.findIndex((each) => each.turn === Number(turn));
    game.go(step < 0 ? game.data.steps.length - 1 : step, true);
  } else game.show();
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
const themeButton = document.getElementById("theme");
function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  themeButton.querySelector("[data-theme-name]").textContent = theme;
}
themeButton.addEventListener("click", () => {
  const now = document.documentElement.dataset.theme ?? "auto";
  setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
});

addEventListener("hashchange", follow);
document.documentElement.classList.add("live");
if (current) follow();
window.couperation = { games, judged };
