/* A recorded game, step by step, as one view has seen it. */

class Game extends Steps {
  first = 0;
  /** The line that is played in place of the game, by its number. */
  line = null;

  constructor(article) {
    super();
    this.article = article;
    this.number = Number(article.dataset.game);
    this.data = read(`game-data-${this.number}`);
    this.at = this.data?.start ?? 0;
    this.view = this.data?.view;
    this.filled = false;
    this.player = this.part("play");
    this.slots = Drawing.slots(article);
    if (this.data) this.listen();
  }

  part(name) {
    return this.article.querySelector(`[data-part="${name}"]`);
  }

  write(name, text) {
    this.part(name).textContent = text;
  }

  /** What the chosen view has seen of the game; a line that would have won, where one is played. */
  get sight() {
    return this.data.seen[this.line === null ? this.view : `line${this.line}`];
  }

  /** Whether the turn that lost the game is shown, and what would have saved it there. */
  get lost() {
    return this.line === null && this.at > 0 && this.at === this.data.lost;
  }

  /** The actions with a line that wins: what would have saved the game, or of one that goes on what wins. */
  get saves() {
    const { data: { lost, fork, view, chances } } = this;
    const here = this.line === null && this.at === (lost ?? fork) && this.view === view;
    return here && !this.whatIf.trial ? chances : [];
  }

  get step() {
    return this.sight.steps[this.at];
  }

  get now() {
    return this.at;
  }

  get last() {
    return this.sight.steps.length - 1;
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
    on('[data-part="back"]', "click", () => this.walk(null));
    this.part("dagger")?.style.setProperty("left", `${100 * this.data.lost / this.last}%`);
    on('[data-part="link"]', "click", () => this.copyLink());
    on('[data-part="download"]', "click", () => this.save());
    on('[data-part="play"]', "click", () => this.play(!this.playing));
    const svg = this.part("tower");
    this.name = Drawing.choosing(svg, this.slots, (cell) => this.pick(cell));
    Drawing.swiped(svg, (way) => this.jump(way > 0 ? "on" : "back"));
    this.whatIf = new WhatIf(this);
    this.panels = new Panels(this.article, () => this.turned());
  }

  /* Steps */

  jump(where) {
    if (this.data) super.jump(where);
  }

  /** Show a step; `playing` is whether it goes on by itself, `quiet` leaves the page's address alone. */
  go(step, playing = false, quiet = false) {
    if (!playing) this.play(false);
    const wanted = Math.min(Math.max(step, 0), this.last);
    if (wanted !== this.at) {
      this.filled = false;
      this.whatIf.forget();
    }
    this.at = wanted;
    this.show();
    if (!quiet) link(this);
  }

  /** Play a line from where it leaves the game; null goes back to where it is offered. */
  walk(line) {
    const { lost, fork } = this.data;
    this.line = line;
    this.go(line === null ? lost ?? fork : fork);
    this.play(line !== null);
  }

  /** A cell was chosen: what would have saved the game there is played, else a card is tried. */
  pick(cell) {
    const saving = this.saves.findIndex((each) => each.cell === cell);
    if (saving < 0) this.whatIf.pick(cell);
    else this.walk(saving);
  }

  /** Show what another view has seen; what was tried was an answer for this one. */
  look(view) {
    this.view = view;
    this.line = null;
    this.at = Math.min(this.at, this.last);
    this.whatIf.forget();
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

  show() {
    this.reserve();
    this.draw();
    this.tell();
    this.piles();
    this.answer();
    this.whatIf.choices();
    this.controls();
  }

  controls() {
    const slider = this.part("slider");
    if (slider) {
      slider.max = this.last;
      slider.value = this.at;
      slider.setAttribute("aria-valuetext", this.step.place);
    }
    this.ends(this.all("[data-go]"));
    for (const bar of this.all("[data-turn-bar]")) {
      bar.classList.toggle("now", Number(bar.dataset.turnBar) === this.at);
    }
    for (const [part, said] of [["[data-cgn]", "text"], ["[data-words]", "words"]]) {
      [...this.all(part)].slice(1).forEach((row, turn) => { row.textContent = this.sight.turns[turn]?.[said] ?? ""; });
    }
    this.article.classList.toggle("walked", this.line !== null);
    this.part("back").hidden = this.line === null;
    for (const row of this.all("[data-turn]")) {
      const turn = Number(row.dataset.turn);
      const now = turn === this.step.turn;
      if (now) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
      if (now) reveal(row.closest("li") ?? row, row.closest("[data-scroll]"), 8);
    }
  }

  /** Keep room for what any step and view has, once: then no step moves anything. */
  reserve() {
    if (this.room) return;
    this.room = Room.places(this.data.seen);
    this.part("sizer").replaceChildren(...Room.captions(this.data));
  }

  tell() {
    const { turn, place } = this.step;
    const { words, remark = "", refused } = this.sight.turns[turn - 1] ?? { words: this.data.opening };
    const tried = this.line !== null && turn > this.data.fork;
    const cause = this.view === this.data.view && this.data.cause?.turn === turn ? this.data.cause.words : "";
    this.write("where", place);
    this.part("words").replaceChildren(...marked(words, refused?.words));
    this.write("verdict", tried ? say("live_not_played") : this.data.verdicts[this.at]);
    this.part("verdict").classList.toggle("wrong", this.lost);
    this.write("cause", cause);
    this.write("remark", remark);
  }

  /* The tower */

  glass(text, flag) {
    if (text.startsWith("~")) return { kind: "down", text, flag };
    return { kind: "up", text, mark: this.data.marks[text], flag };
  }

  glasses() {
    const { step, whatIf: { trial } } = this;
    const found = new Map();
    const conflict = new Set(trial ? trial.conflict : this.filled ? step.outlook.conflict : step.conflict);
    const flag = (cell) => (conflict.has(cell) ? "conflict" : cell === step.laid && !trial ? this.lost ? "lost" : "laid"
      : undefined);
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
    for (const { cell, card } of this.saves) {
      if (cell) found.set(cell, { ...(found.get(cell) ?? { kind: "place" }), ghost: card });
    }
    for (const cell of conflict) if (!found.has(cell)) found.set(cell, { kind: "place", flag: "conflict" });
    return found;
  }

  /** Whether all cells are shown that can take a card: while one is tried. */
  wide() {
    return this.panels.name === "what-if";
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
    this.part("tower").classList.toggle("won", this.at === this.last && (this.data.won || this.line !== null));
    this.part("far").toggleAttribute("hidden", !far);
    this.part("near").toggleAttribute("hidden", far);
    Drawing.draw(this.slots, glasses, this.part("names").checked);
    const cells = Object.entries(this.step.cells);
    const laid = cells.map(([cell, text]) => say("card_on", { card: text, cell }));
    this.write("tower-title", say("live_tower", { count: laid.length, place: this.step.place }));
    this.write("tower-text", say("live_sentence", { text: listed(laid) }));
    const labels = [...glasses].map(([cell, glass]) => [cell, Drawing.label(cell, glass)]);
    this.name(new Map(labels), this.whatIf.chosen);
  }

  /** Another panel is open: what was tried is over. */
  turned() {
    this.whatIf.forget();
    this.show();
  }

  /** Show what completes the tower, or show it no more. */
  fill(filled = !this.filled) {
    this.filled = filled;
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
      const refused = hand === null ? [] : Room.drawn(this.sight, step, hand);
      Table.show(pile, cards, this.data.marks, { front, refused, room: this.room[name], sizes: step.sizes?.[hand] });
    }
    const deck = this.part("deck");
    const top = step.top ?? [];
    const known = `${top.slice(0, 6).join(" ")}${top.length > 6 ? " …" : ""}`;
    const counted = { count: step.deck ?? 0, top: known };
    if (deck) deck.textContent = say(known ? "live_deck_top" : "live_deck", counted);
    this.write("mover", step.mover ?? "");
  }

  /* Can the tower still be completed */

  answer() {
    const { outlook, told } = this.step;
    const dead = outlook.answer === "deadlocked";
    const lines = told.map((line, i) => element("p", i ? {} : { class: "answer" }, line));
    const chances = this.saves.map(({ words, turns }, at) =>
      button(words, { class: "quiet", title: turns[0] }, () => this.walk(at)));
    this.part("outlook").replaceChildren(...lines.slice(0, 2), ...chances, ...lines.slice(2));
    const fill = this.part("fill");
    fill.hidden = this.wide() || !(dead || outlook.filling);
    const [conflict, filling] = this.filled
      ? ["live_hide_conflict", "live_hide_filling"]
      : ["live_show_conflict", "live_show_filling"];
    fill.textContent = say(dead ? conflict : filling);
    fill.setAttribute("aria-pressed", String(this.filled));
  }

  /* What is taken along */

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
