/* Looking: at earlier tables, as somebody saw them, at what if; what is looked at can be taken along. What was begun at
   the present table waits meanwhile. What if is any number of turns that are tried from a table that is looked at,
   judged as real ones are, and not written until they are kept as a comment. */
import { Steps, download, element, listed, say, spoken, toldOf } from "/static/shared.js";
import { able, ask, at, file, pressed, put, query } from "./net.js";
import { piles } from "./scene.js";
import { finding, small } from "./told.js";

const FORMS = { position: "cgn", svg: "svg", png: "png", report: "html" };
/** So many pixels of a picture stand for one of the drawing's units. */
const ZOOM = 2;
/** So many tables on either side of the one that is shown are fetched ahead. */
const AHEAD = 3;
const BEGUN = ["draft", "place", "before", "told", "low", "line", "wanted"];
const ELSEWHERE = "input, textarea, select, dialog, [role=toolbar], [role=tablist], .pile, .tower";

/** A drawing as a picture in pixels. */
async function pixels(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth * ZOOM, image.naturalHeight * ZOOM];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

export class Look extends Steps {
  /** The turn after which the table is shown; null is the last one, of a branch its end. */
  turn = null;
  /** The table that those who follow were told of. */
  place = null;
  /** Who sees: "all", "table", or the number of a player; and the turns as they are seen then. */
  seen = "all";
  texts = null;
  /** What was begun at the present table. */
  held = null;
  /** What if: the turn `from` which it goes, and `turns`; `wrong` is what they break, `words` how each turn is told. */
  branch = null;
  wrong = [];
  words = [];
  asked = 0;
  /** The tables that were fetched, and the one that is shown. */
  tables = new Map();
  shown = null;
  player = at("play");
  buttons = at("steps").querySelectorAll("[data-go]");

  constructor(board) {
    super();
    this.board = board;
    for (const each of this.buttons) each.addEventListener("click", () => this.jump(each.dataset.go));
    for (const each of at("exports").children) each.addEventListener("click", () => this.take(each.dataset.form));
    pressed("play", () => this.play(!this.playing));
    pressed("present", () => this.leave());
    for (const id of ["try", "fork"]) pressed(id, () => this.fork());
    pressed("what-if-back", () => this.back());
    pressed("what-if-drop", () => this.drop());
    pressed("what-if-keep", () => this.keep());
    at("seen-by").addEventListener("change", () => this.see(at("seen-by").value));
    document.addEventListener("keydown", (event) => this.keyed(event));
  }

  keyed(event) {
    const where = Steps.led(event);
    if (!where || event.defaultPrevented || event.target.closest?.(ELSEWHERE)) return;
    if (at("game").hidden || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.jump(where);
  }

  /* Where */

  get away() {
    return this.turn !== null || this.branch !== null || this.seen !== "all";
  }

  /** Whether nothing can be played on what is shown. */
  get still() {
    return this.away && this.branch === null;
  }

  get first() {
    return this.branch?.from ?? 0;
  }

  get last() {
    return this.branch ? this.branch.from + this.branch.turns.length : this.board.game.turns.length;
  }

  get now() {
    return this.turn ?? this.last;
  }

  /** The table that is shown; null is the game's own, at which one plays. */
  get table() {
    return this.away ? this.shown : null;
  }

  /** What a question about a draft says of the table on which it lies. */
  get asking() {
    return this.branch ? { branch: this.upTo(this.now), seen: this.seen } : {};
  }

  get named() {
    return { file: file(), game: this.board.game.game, seen: this.seen };
  }

  /* Going */

  jump(where) {
    return this.board.game?.turns && super.jump(where);
  }

  /** Show the table after a turn; `playing` is whether it goes on by itself. */
  async go(turn, playing = false) {
    if (!playing) this.play(false);
    const wanted = Math.min(Math.max(turn, this.first), this.last);
    if (wanted === this.now) return;
    this.asked += 1;
    this.hold();
    this.turn = wanted === this.last ? null : wanted;
    if (this.branch) this.board.forget();
    else if (this.board.turns.chosen !== null) this.board.turns.choose(wanted);
    await this.show();
  }

  async see(seen) {
    this.play(false);
    this.hold();
    this.seen = seen;
    this.texts = null;
    await this.show();
    if (seen === "all" || this.seen !== seen) return;
    const { ok, said } = await ask("/api/branch", { ...this.named, branch: { from: this.board.game.turns.length } });
    if (!ok || this.seen !== seen) return;
    this.texts = said.turns;
    this.drawn();
  }

  /** Let what was begun wait; what is begun from here on belongs to what if. */
  hold() {
    const { board } = this;
    if (this.away) return;
    board.asked += 1;
    const { idle, yours, revision } = board;
    const kept = BEGUN.map((name) => [name, board[name]]);
    this.held = { idle, yours, revision, kept, typed: at("line").value };
    board.forget();
  }

  /** Go back to the present table, and to what was begun there. */
  leave() {
    const { held, away } = this;
    this.quit();
    if (away) this.restore(held);
  }

  /** Look at nothing but the present table; what waits for it is let go. */
  quit() {
    const { board, away } = this;
    this.play(false);
    this.asked += 1;
    this.turn = this.branch = this.texts = this.held = this.shown = null;
    this.seen = "all";
    at("what-if").hidden = true;
    document.querySelector(".masthead").inert = false;
    if (away && board.game?.table) piles(board.game.table);
  }

  restore(held = this.held) {
    const { board } = this;
    this.held = this.shown = null;
    board.forget();
    board.know?.show(board.game);
    piles(board.game.table);
    if (held) {
      for (const [name, value] of held.kept) board[name] = value;
      at("line").value = held.typed;
      if (held.revision !== board.revision) return void board.waits(board.stays());
    }
    board.draw();
    board.judge();
  }

  /* What is shown */

  /** The game is another one, or has another revision: whether something else than its table stays shown. */
  told(game) {
    const name = `${game.file} ${game.game}`;
    this.tables = new Map();
    if (this.name !== name) {
      this.quit();
      this.name = name;
    }
    const names = [["all", say("liveboard_all")], ["table", say("liveboard_everybody")],
      ...game.players.map((player, seat) => [String(seat), spoken(player)])];
    at("seen-by").replaceChildren(...names.map(([value, text]) => new Option(text, value, false, value === this.seen)));
    if (!this.away) return false;
    if (this.branch) this.open(this.branch, { turn: this.turn, begun: true });
    else {
      if (this.turn >= game.turns.length) this.turn = null;
      if (this.away) this.see(this.seen);
      else this.restore();
    }
    return true;
  }

  key(turn) {
    return JSON.stringify([turn, this.seen, this.upTo(turn)]);
  }

  /** The table after a turn, asked for once of each revision. */
  fetch(turn) {
    const { named, tables } = this;
    const [key, branch] = [this.key(turn), this.upTo(turn)];
    if (!tables.has(key)) {
      const asked = branch ? ask("/api/branch", { ...named, branch }) : ask(query("/api/table", { ...named, turn }));
      tables.set(key, asked.then((answer) => {
        if (!answer.ok) tables.delete(key);
        return { ...answer, table: branch ? answer.said?.table : answer.said };
      }));
    }
    return tables.get(key);
  }

  /** Show the table that is wanted as soon as it is there, and fetch those beside it. */
  async show() {
    if (!this.away) return this.restore();
    const { now, tables } = this;
    const key = this.key(now);
    const { ok, status, said, table } = await this.fetch(now);
    if (!this.away || tables !== this.tables || key !== this.key(this.now)) return;
    if (!ok) {
      this.leave();
      return this.board.failed({ status, said });
    }
    this.arrived(table);
    for (let step = 1; step <= AHEAD; step += 1) {
      for (const turn of [now + step, now - step]) if (turn >= this.first && turn <= this.last) this.fetch(turn);
    }
  }

  arrived(table) {
    const { board } = this;
    this.shown = table;
    board.know?.show(board.game, this.now, { seen: this.seen, branch: this.upTo(this.now) });
    piles(table);
    board.draw();
    board.judge();
  }

  /** The board was drawn: what looking adds to it. */
  drawn() {
    const { board, still, branch, now } = this;
    this.ends(this.buttons);
    this.placed(branch ? null : this.turn);
    const ended = !still && !branch && board.over;
    const gone = [...(still || ended ? ["acts"] : []), ...(still ? [] : ["look-acts"]), ...(branch ? [] : ["what-if"])];
    const lost = gone.some((id) => at(id).contains(document.activeElement));
    put("hidden", { acts: still || ended, "end-acts": !ended, "look-acts": !still, "what-if": branch === null });
    at("line").readOnly = still;
    at("game").classList.toggle("looked", still);
    at("game").classList.toggle("trying", branch !== null);
    at("seen-by").value = this.seen;
    document.querySelector(".masthead").inert = branch !== null;
    if (lost) at("told").focus({ preventScroll: true });
    if (branch) this.banner();
    const can = board.table.result === null;
    able({ fork: can && !branch && board.place === null, try: can });
    board.turns.mark(branch ? null : now, this.seen === "all" ? null : this.texts ?? []);
    if (still) this.tell();
  }

  /** Tell those who follow where one looks. */
  placed(turn) {
    const { game: { file, game } } = this.board;
    const place = turn === null ? null : JSON.stringify([file, game, turn]);
    if (place !== this.place) ask("/api/place", { file, game, turn });
    this.place = place;
  }

  /** What is said of the turn after which the table is shown. */
  tell() {
    const { now, seen, board: { game } } = this;
    const turn = game.turns[now - 1];
    const turns = game.turns.length;
    const where = turn ? say("liveboard_after", { turn: now, turns }) : say("liveboard_set_up_of", { count: turns });
    const known = { all: "", table: say("liveboard_as_everybody") };
    const whose = known[seen] ?? say("liveboard_as", { name: game.players[seen] });
    const all = seen === "all";
    const wrong = all ? game.wrong.filter((each) => each.turn === now) : [];
    const said = all ? (turn ?? game).comments : [];
    const { text = "", words = "" } = (all ? turn : this.texts?.[now - 1]) ?? {};
    at("told").className = "";
    at("told").replaceChildren(
      element("strong", { class: "verdict" }, listed([where, whose].filter(Boolean))),
      ...(this.board.know.lost ? [element("strong", { class: "verdict illegal" }, say("live_loses"))] : []),
      element("p", {}, words), element("code", { class: "cgn" }, text),
      ...wrong.map(finding),
      ...said.map((each) => element("p", { class: "remark" }, each.text)),
      small(say("liveboard_looking")),
    );
  }

  /* What if */

  /** The branch as far as a turn. */
  upTo(turn) {
    const { branch } = this;
    return branch && { from: branch.from, turns: branch.turns.slice(0, turn - branch.from) };
  }

  /** Begin at the table that is shown; of a branch as far as that is shown. */
  fork() {
    this.open(this.upTo(this.now) ?? { from: this.now, turns: [] });
  }

  /** Go on from a branch, with one more turn where one is told, and the line that was `sent` of it; what lies `begun`
   * on it may stay. */
  open(branch, more) {
    return this.board.waits(this.opens(branch, more));
  }

  async opens({ from, turns }, { turn = null, begun = false, sent = "", ...more } = {}) {
    const mine = ++this.asked;
    const { ok, status, said } = await ask("/api/branch", { ...this.named, branch: { from, turns }, ...more });
    if (mine !== this.asked) return;
    const { board } = this;
    if (!ok) {
      if (begun) this.leave();
      board.failed({ status, said });
      return false;
    }
    this.hold();
    this.branch = said.branch;
    this.wrong = said.wrong;
    this.words = said.turns.map((each) => each.words);
    this.turn = turn !== null && turn < this.last ? turn : null;
    if (!begun) board.played(sent);
    if (this.turn === null) this.arrived(said.table);
    else this.show();
  }

  /** Take the last turn back. */
  back() {
    const { from } = this.branch;
    if (this.now > from) this.open(this.upTo(this.now - 1));
  }

  async keep() {
    const { branch: { from, turns }, board } = this;
    if (!await board.edit({ op: "what-if", branch: { from, turns } })) return;
    board.turns.choose(from);
    await this.drop();
  }

  /** Throw it away, and look at the table from which it went. */
  drop() {
    const { from } = this.branch;
    this.play(false);
    this.asked += 1;
    this.branch = null;
    this.turn = from < this.last ? from : null;
    this.board.forget();
    return this.show();
  }

  /** Escape leads back, unless something would be thrown away. */
  escaped() {
    if (this.branch === null) this.leave();
    else if (this.branch.turns.length === 0) this.drop();
  }

  banner() {
    const { from, turns } = this.branch;
    at("what-if-head").textContent = from ? say("liveboard_what_if", { turn: from }) : say("liveboard_what_if_start");
    at("what-if-turns").replaceChildren(...turns.map((text, i) => {
      const place = from + i + 1;
      const wrong = this.wrong.filter((each) => each.turn === place && !each.warning);
      const row = element("li", { class: wrong.length ? "finding" : "" }, `${this.words[place - 1]} `,
        element("code", { class: "cgn" }, text));
      row.title = wrong.map((each) => toldOf(each.clause, each.message)).join(say("liveboard_between"));
      if (place === this.now) row.setAttribute("aria-current", "step");
      return row;
    }));
    const there = at("what-if-turns").querySelector("[aria-current]");
    there?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    able({ "what-if-back": this.now > from, "what-if-keep": turns.length > 0 });
  }

  /* Taking along: the position, a picture, the report page */

  async take(form) {
    const { named, now } = this;
    const branch = this.upTo(now);
    const stem = named.file.replace(/\.cgn$/, "");
    const name = `${stem}-${form === "report" ? "page" : now}${branch ? "-what-if" : ""}.${FORMS[form]}`;
    const picture = form === "png" ? { form: "svg", theme: "light" } : { form };
    at("export-told").textContent = form === "report" ? say("liveboard_making") : "";
    const { ok, said } = await ask("/api/export", { ...named, ...(branch ? { branch } : { turn: now }), ...picture });
    const made = !ok ? null : form === "png" ? await pixels(said).catch(() => null) : said;
    if (made !== null) download(name, made);
    const refused = said?.said ?? say("liveboard_not_made");
    at("export-told").textContent = made === null ? refused : say("liveboard_made", { file: name });
  }
}
