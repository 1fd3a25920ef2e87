/* Can the tower be completed, can the table be won: a chip over the tower, and a panel with the reasons. */
import { button, element, say } from "/static/shared.js";
import { ask, at, during, pressed, put, remember, SETUP } from "./net.js";
import { small } from "./told.js";

const STANDINGS = {
  asking: ["…", "liveboard_know_asking"], alive: ["✓", "liveboard_know_alive"], won: ["✓", "liveboard_know_won"],
  lost: ["✗", "liveboard_know_lost"], unknown: ["?", "liveboard_know_unknown"], none: ["–", "liveboard_know_none"],
};
const SETTLED = 400;

/** A line as the report page has it: a lead that stands out, lines of CGN as they are, or behind a fold where it is
 * proved. */
function line({ text, lead = "", verbatim = false, aside = false }) {
  if (aside) return element("details", {}, element("summary", {}, say("liveboard_proved")), element("p", {}, text));
  return verbatim ? element("pre", {}, text) : element("p", {}, ...(lead ? [element("strong", {}, lead)] : []), text);
}

export class Know {
  /** What is known of the table that is shown, and of its tower; null while nothing was answered. */
  found = null;
  tower = null;
  double = 0;
  /** The turn that lost a game (`since`), and what would have saved it there, as far as it was asked (`chances`). */
  loss = null;

  /** `board` has `panels` and `scene`. */
  constructor(board) {
    this.board = board;
    pressed("know-chip", () => this.open());
    pressed("know-close", () => this.close());
    at("panel-know").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
    at("new").addEventListener("click", () => this.game && this.show(this.game, this.turn, this.looked));
    pressed("know-line", () => this.line());
    pressed("know-saving", () => this.saving());
    pressed("know-on", () => this.on());
    at("know-hints").checked = SETUP.settings.hints;
    at("know-hints").addEventListener("change", () => {
      remember({ hints: at("know-hints").checked });
      this.key = null;
      this.show(this.game, this.turn, this.looked);
    });
  }

  /** From the chip; on a small screen the panel then lies over the entry, so that tower and lit cells stay in sight. */
  open() {
    at("panel-know").classList.add("sheet");
    this.board.panels.open("know");
    at("panel-know").focus();
  }

  close() {
    this.board.panels.open("turns");
    at("know-chip").focus();
  }

  /** Whether nothing is asked and nothing told: at a table hints are forbidden, unless they are switched on. */
  get silent() {
    return this.board.game.result === null && !at("know-hints").checked;
  }

  /** Ask about the table after a turn, with what is `looked` at (`seen`, `branch`), once for each revision; nothing
   * while a new game is being begun. */
  async show(game, turn = game.turns.length, looked = {}) {
    const key = JSON.stringify([game.file, game.game, game.revision, turn, looked]);
    if (key === this.key || !at("start").hidden) return;
    Object.assign(this, { key, game, turn, looked, found: null, tower: null, double: 0 });
    this.draw();
    if (!this.silent) await during(this.shown(key));
  }

  /** Ask about the tower, and about the table where it stays a while. */
  async shown(key) {
    const settled = new Promise((done) => setTimeout(done, SETTLED));
    const [tower] = await Promise.all([this.ask(key, { level: "tower" }), settled]);
    if (key !== this.key) return;
    this.tower = tower;
    this.draw();
    await this.table(key, "end");
  }

  /** An answer; null where it was dropped, or another table is shown by now. */
  async ask(key, what) {
    const { file, game, revision } = this.game;
    const { ok, said } = await ask("/api/know", { file, game, revision, turn: this.turn, ...this.looked, ...what });
    return ok && key === this.key ? said : null;
  }

  /** Ask about the table; a lost one also since when. */
  async table(key, detail) {
    if (!at("start").hidden) return void (this.key = null);
    this.asking = detail;
    this.draw();
    const found = await this.ask(key, { detail, double: this.double });
    if (key !== this.key) return;
    this.asking = null;
    this.found = found ?? this.found ?? { standing: "unknown", said: [], cells: [], line: [] };
    const { game, looked: { branch = null, seen = "all" } } = this;
    if (found?.since && found.alive === found.since - 1 && branch === null && seen === "all") {
      const { since, chances } = found;
      const known = this.loss?.game === game ? this.loss.chances : [];
      this.loss = { game, since, chances: chances.length ? chances : known };
      this.board.draw();
    }
    this.draw();
    if (found?.standing === "lost" && found.detail === "end") await this.table(key, "since");
  }

  /** Play out a line that wins. */
  async line() {
    const { key } = this;
    if (!this.found.line.length) await this.table(key, "line");
    if (key === this.key) await this.played(this.found.alive, this.found.line);
  }

  /** Tell what would have saved the table, at the turn that lost it. */
  async saving() {
    const { key, found: { since }, board: { look } } = this;
    await this.table(key, "saving");
    if (key === this.key && look.branch === null) await look.go(since);
  }

  /** Play these turns from a table of what is shown, as what if. */
  async played(from, turns) {
    const { look } = this.board;
    const before = look.branch?.from <= from ? look.upTo(from) : { from, turns: [] };
    await look.open({ from: before.from, turns: [...before.turns, ...turns] }, { turn: from });
    at("stage").scrollIntoView({ block: "nearest", behavior: "instant" });
    look.play(true);
  }

  /** Whether the table is shown after the turn that lost the game, and what would have saved it there. */
  get lost() {
    const { look } = this.board;
    return look.branch === null && look.seen === "all" && this.loses(look.now);
  }

  loses(turn) {
    return this.loss?.game === this.board.game && this.loss.since === turn;
  }

  get chances() {
    return this.lost ? this.loss.chances : [];
  }

  /** What the last chance was, of a game that a turn lost. */
  get last() {
    return this.loss?.game === this.board.game && say("live_last_chance", { turn: this.loss.since });
  }

  /** A cell was tapped: whether what would have saved the game there is played. */
  saves(cell) {
    const chance = this.chances.find((each) => each.cell === cell);
    if (chance) this.played(this.loss.since - 1, chance.turns);
    return Boolean(chance);
  }

  /** Search on with twice the budget. */
  on() {
    this.double += 1;
    return this.table(this.key, this.found.standing === "lost" ? "since" : "end");
  }

  get standing() {
    return this.found?.standing ?? "asking";
  }

  /** The chip's words. */
  get words() {
    const { standing, found } = this;
    if (standing !== "lost" || found.since === null) return say(STANDINGS[standing][1]);
    const { since, alive } = found;
    if (since === 0) return say("liveboard_know_since_0");
    return say(alive === since - 1 ? "liveboard_know_since" : "liveboard_know_by", { turn: since });
  }

  draw() {
    const { standing, found, tower, silent } = this;
    const [sign] = STANDINGS[standing];
    at("know-chip").className = `know-chip ${standing}`;
    at("know-chip").replaceChildren(element("span", { "aria-hidden": "true" }, sign), ` ${this.words}`);
    const heard = say("liveboard_know", { standing: this.words });
    if (standing !== "asking" && at("know-heard").textContent !== heard) at("know-heard").textContent = heard;
    at("know-tower").replaceChildren(...(tower?.said ?? []).map((text) => line({ text })));
    const busy = silent ? [small(say("liveboard_know_silent"))] : this.asking ? [small(say("liveboard_asking"))] : [];
    at("know-table").replaceChildren(...(found?.said ?? []).map(line), ...busy);
    at("know-table").setAttribute("aria-busy", String(Boolean(this.asking)));
    const lost = standing === "lost";
    const exact = lost && found.since !== null && (found.since === found.first || found.alive === found.since - 1);
    const wins = standing === "alive";
    const saves = lost && found.since > 0 && found.alive !== null;
    const open = standing === "unknown" || (lost && found.since !== null && !exact);
    at("know-chip").hidden = silent;
    put("hidden", { "know-line": !wins, "know-saving": !saves, "know-on": Boolean(this.asking) || !open });
    const saving = saves ? found.saving ?? [] : [];
    at("know-more").replaceChildren(...saving.slice(0, 1).map(line), ...(found?.chances ?? []).map(({ words, turns }) =>
      button(words, { class: "quiet", title: turns[0] }, () => this.played(found.since - 1, turns))));
    this.mark();
  }

  /** Light the cells that the reasons name, while the panel is open. */
  mark() {
    const open = this.board.panels?.name === "know";
    if (!open) at("panel-know").classList.remove("sheet");
    const cells = new Set(open ? [...(this.found?.cells ?? []), ...(this.tower?.cells ?? [])] : []);
    for (const [cell, slot] of this.board.scene.slots) slot.classList.toggle("known", cells.has(cell));
  }
}
