/* The board's page. It knows no rule: it sends what was tapped, and shows what the board says of it. */
import { Panels, say, spoken } from "/static/shared.js";
import { Draft } from "./draft.js";
import { Games } from "./games.js";
import { Look } from "./look.js";
import { Know } from "./know.js";
import { able, ask, at, file, pressed, put, query, remember, SETUP, since, submitted } from "./net.js";
import { Scene } from "./scene.js";
import { Session, live } from "./session.js";
import { Share } from "./share.js";
import { due, illegal, places, show as tell, sign } from "./told.js";
import { Turns } from "./turns.js";

const BEGUN = "couperation-begun";

class Board extends Session {
  draft = new Draft();
  /** What the board says of the draft laid up and laid down, and of a typed line. */
  told = null;
  low = null;
  line = null;
  /** The earlier turn that is put anew, the table before it, what it was, with how many cards drawn, and how often such
   * a table was asked for. */
  place = null;
  before = null;
  filled = "";
  drew = 0;
  opening = 0;
  /** The way that was pressed although the rules refuse it, and what was said of it then. */
  wanted = null;
  why = null;
  asked = 0;

  constructor() {
    super();
    const tap = (act) => (text) => this.tapped(() => this[act](text));
    const card = (act) => (text) => this.meant(() => this[act](text));
    this.scene = new Scene({
      cell: tap("cell"), own: card("own"), reserve: card("reserve"), unseen: card("unseen"), draw: card("drawn"),
    }, SETUP.cards);
    this.turns = new Turns(this);
    this.share = new Share(this);
    this.look = new Look(this);
    this.games = new Games(this);
    this.know = new Know(this);
    this.panels = new Panels(at("beside"), () => this.know.mark());
    pressed("more", () => at("more").setAttribute("aria-expanded", document.body.classList.toggle("more")));
    for (const id of ["up", "down"]) at(id).addEventListener("click", () => this.confirm(id === "down"));
    pressed("clear", () => this.clear());
    pressed("end-report", () => this.look.take("report"));
    pressed("end-analyse", () => this.know.open());
    pressed("same", () => this.same());
    pressed("none", () => this.tapped(() => this.change(({ draw, open, zero, none }) => {
      this.draft = Object.assign(new Draft(), { draw, open, zero, none: !none });
    })));
    at("seen").addEventListener("change", () => this.draw());
    at("line").addEventListener("input", () => this.judge());
    submitted("typed", () => at("line").value.trim() && this.play(false, false));
    document.addEventListener("keydown", (event) => this.key(event));
    pressed("theme", () => remember({ theme: document.documentElement.dataset.theme ?? "auto" }));
  }

  key(event) {
    const typing = event.target.closest?.("input, textarea, select");
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
      if (this.draft.empty) this.look.escaped();
      else this.clear();
    }
    else if ((event.ctrlKey || event.metaKey) && !typing && event.key.toLowerCase() === "z") {
      event.preventDefault();
      if (this.look.branch) this.look.back();
      else this.edit({ op: event.shiftKey ? "redo" : "undo" });
    }
  }

  /* What is there */

  shown() {
    if (this.game.kind !== "game") return this.look.quit();
    this.told = this.low = null;
    const kept = JSON.parse(sessionStorage.getItem(BEGUN) ?? "{}");
    if (this.idle && kept.at === this.stamp) {
      Object.assign(this.draft, kept.draft);
      at("line").value = kept.line;
    }
    this.turns.show(this.game);
    if (this.look.told(this.game)) return;
    this.waits(this.stays());
  }

  /** The game and its last turn: what was begun behind it is begun still when the page is loaded anew. */
  get stamp() {
    return JSON.stringify([this.game.path, this.game.game, this.game.turns.at(-1)?.text]);
  }

  /** What was begun, to be compared. */
  get stamped() {
    return JSON.stringify([this.draft, at("line").value]);
  }

  /** Let go of all that was begun. */
  forget() {
    this.draft = new Draft();
    this.place = this.told = this.low = this.line = this.wanted = null;
    at("line").value = "";
  }

  /** What was played is let go; what was typed since is of the next turn. */
  played(sent = "") {
    const more = since("line", sent);
    this.forget();
    at("line").value = more;
  }

  /** What was begun at the present table goes too where another one is looked at. */
  letGo() {
    this.look.held = null;
    at("text").value = this.turns.text;
    super.letGo();
  }

  /** A text that was typed is put in place of what is there now. */
  again() {
    super.again();
    this.turns.revision = this.revision;
  }

  /** Whether nothing was begun. */
  get idle() {
    if (this.look.away) return this.look.held?.idle ?? true;
    return this.draft.empty && !at("line").value && this.place === null;
  }

  /** The line of what was begun. */
  get yours() {
    if (this.look.away) return this.look.held?.yours ?? "";
    return this.line?.text ?? this.chosen?.text ?? "";
  }

  refused(judged) {
    if (this.line) this.line = { ...this.line, judged };
    this.draw();
  }

  /** The table on which the draft lies. */
  get table() {
    return this.look.table ?? (this.place === null ? this.game.table : this.before);
  }

  /** Whether the game that is shown is over, and nothing was begun. */
  get over() {
    return this.table.result !== null && this.place === null && this.draft.empty && !at("line").value;
  }

  /** Whether no action is all that is left, as far as the board says. */
  get stuck() {
    const { told, draft } = this;
    const { up, down, opens, sums, complete } = told?.offers ?? {};
    if (!complete || this.table.result !== null || draft.draw.length < (told.may_draw.at(-1) ?? 0)) return false;
    return ![...Object.values(up), down].some((cells) => Object.keys(cells).length) && !opens.length && !sums.length;
  }

  /** Begin a game at the same table: who played, by which rules. */
  same() {
    const { players, rules, variant } = this.game;
    const [book, ...changes] = rules.split(" ");
    put("value", { rules: book, variant });
    for (const [seat, field] of at("start").querySelectorAll('[name="player"]').entries()) {
      field.value = spoken(players[seat] ?? "");
    }
    for (const change of changes) {
      const [name, option] = change.split("=");
      at("rulings").querySelector(`[data-ruling="${name}"]`).value = option;
    }
    at("start").dispatchEvent(new Event("input"));
    this.fresh(true);
  }

  /** The mover's cards with those drawn, as far as they are told. */
  get hand() {
    const { table, draft } = this;
    const cards = [...table.hands[this.mover] ?? [], ...draft.draw];
    const front = table.front === this.mover ? ["F"] : [];
    return [...cards.filter((each) => each !== "?"), ...front, ...cards.filter((each) => each === "?")];
  }

  get mover() {
    return this.told?.player ?? this.table.to_move;
  }

  /** Put an earlier turn anew; null goes on with the next one. */
  open(place) {
    return this.waits(this.opens(place));
  }

  async opens(place) {
    const typed = at("line").value;
    if (place !== null && !await this.beneath(place)) return false;
    const more = since("line", typed);
    this.look.quit();
    this.forget();
    this.place = place;
    if (place !== null) {
      const { text, draft } = this.game.turns[place - 1];
      if (draft) this.draft = Draft.of(draft);
      this.wanted = draft?.action === "B" || draft?.down || null;
      at("line").value = more || (draft ? "" : text.replace(/^\S+ \S+ /, ""));
      this.drew = this.draft.draw.length;
      this.filled = this.stamped;
    }
    at("stage").scrollIntoView({ block: "nearest", behavior: "instant" });
    this.draw();
    this.judge();
  }

  /** Ask for the table before an earlier turn; whether it is there. */
  async beneath(place) {
    const { game } = this;
    const mine = ++this.opening;
    const { ok, said } = await ask(query("/api/table", { file: game.file, game: game.game, turn: place - 1 }));
    if (game !== this.game || mine !== this.opening) return false;
    if (ok) this.before = said;
    else this.away(said);
    return ok;
  }

  /** The game is another one: what was begun stays, on the table as it is now. */
  async stays() {
    if (this.place > this.game.turns.length) this.place = null;
    if (this.place !== null && this.stamped === this.filled) return this.opens(this.place);
    if (this.place !== null && !await this.beneath(this.place)) return false;
    this.draw();
    this.judge();
  }

  /* Taps */

  change(act) {
    this.look.play(false);
    if (this.look.still || this.pending) return;
    this.hush();
    this.wanted = null;
    at("line").value = "";
    this.line = null;
    act(this.draft);
    this.draw();
    this.judge();
  }

  /** Whether the action may be whole: what is due is due for that, and not for one that was taken back. */
  get whole() {
    return this.draft.cell !== null || this.draft.none;
  }

  /** Once the action is whole a card may be one that is due, which the board says: its tap waits for that. */
  async meant(act) {
    let said;
    while (this.whole && said !== this.judging) {
      said = this.judging;
      await said;
    }
    this.tapped(act);
  }

  /** Whether cards could have been drawn, and nobody has said how many were. */
  get drawsAsked() {
    return !this.draft.drawn && this.told?.may_draw.at(-1) > 0;
  }

  wants(part) {
    return this.whole && [this.told, this.low].some((each) => each?.due.some((due) => due.part === part));
  }

  cell(cell) {
    if (this.know.saves(cell)) return;
    const down = this.table.scene.glasses[cell]?.kind === "down";
    this.change((draft) => draft.place(cell, down, this.hand));
  }

  own(text) {
    const most = this.hand.filter((each) => each === text).length || 1;
    this.change((draft) => {
      if (this.wants("drop") && !draft.own.includes(text)) draft.toggle("drop", text);
      else draft.mine(text, most);
    });
  }

  reserve(text) {
    this.change((draft) => {
      if ((this.wants("trim") || draft.trim.includes(text)) && draft.taken !== text) draft.toggle("trim", text);
      else draft.reserve(text);
    });
  }

  /** One of the fifty: where it lies tells what is meant; one that lies nowhere was drawn, or is one of the unseen
   * cards that are due. */
  unseen(text) {
    const { draft, table } = this;
    const anew = this.place !== null;
    const missed = anew ? draft.draw.length < this.drew : this.drawsAsked || draft.draw.includes("?");
    const drawn = draft.draw.includes(text) && (!draft.begun || (anew && !draft.own.includes(text)));
    if (drawn) return this.change(() => draft.toggle("draw", text));
    if (this.hand.includes(text)) return this.own(text);
    if (table.reserve.includes(text)) return this.reserve(text);
    const opened = table.scene.glasses[draft.cell]?.kind === "down" && !draft.own.length && draft.taken === null;
    const hidden = table.reserve.includes("?");
    const paid = draft.taken === null && draft.own.length > 1;
    this.change(() => {
      if (opened) draft.shown = draft.shown === text ? null : text;
      else if (this.wants("fill")) draft.toggle("fill", text);
      else if (draft.own.includes(text)) draft.mine(text);
      else if (draft.replaced.includes(`~${text}`)) draft.replaced = [];
      else if (at("seen").checked && (!draft.begun || missed)) draft.drew(text);
      else if (hidden && (paid || ["?", text].includes(draft.taken))) draft.reserve(text);
      else if (this.wants("drop") && this.hand.includes("?")) draft.toggle("drop", text);
      else if (this.wants("trim") && hidden) draft.toggle("trim", text);
      else if (this.wants("replaced")) draft.replaced = [`~${text}`];
      else if (this.wants("drop")) draft.toggle("drop", text);
      else draft.mine(text);
    });
  }

  drawn(text) {
    const part = this.wants("fill") ? "fill" : "draw";
    this.change((draft) => {
      if (text === "F") draft.toggle(part, text);
      else if (text !== "*") draft.count(part, Number(text));
      else {
        draft.open = !draft.open;
        draft.draw = [];
      }
    });
  }

  clear() {
    if (this.place !== null) return void this.open(null);
    this.forget();
    this.draw();
    this.judge();
  }

  /* What the board says */

  /** Ask what the board says of what was begun; what was said before is shown as being asked anew. */
  judge() {
    this.judging = this.asks();
    return this.judging;
  }

  async asks() {
    const mine = ++this.asked;
    at("told").setAttribute("aria-busy", String(!this.look.still));
    if (this.look.still) return;
    const { game, draft, place } = this;
    const line = at("line").value;
    if (!this.look.away && place === null) {
      sessionStorage.setItem(BEGUN, JSON.stringify({ at: this.stamp, draft, line }));
    }
    const body = { file: game.file, game: game.game, place, ...this.look.asking };
    const drafted = (down) => ask("/api/draft", { ...body, draft: draft.told(down) });
    const two = !draft.none && (draft.own.length > 0 || draft.exchange) && draft.cell !== null && draft.shown === null;
    const typed = line.trim() ? ask("/api/draft", { ...body, line }) : null;
    const answers = await Promise.all([drafted(false), two ? drafted(true) : null, typed]);
    if (mine !== this.asked) return;
    at("told").setAttribute("aria-busy", "false");
    const failed = answers.find((each) => each && !each.ok);
    if (failed) {
      this.told = this.low = this.line = null;
      this.draw();
      return this.failed(failed);
    }
    if (this.cut) this.heard();
    [this.told, this.low] = answers.map((each) => each?.said ?? null);
    if (draft.exchange && !this.told.offers?.either) this.low = null;
    this.line = answers[2]?.said ?? null;
    if (this.line) at("completions").replaceChildren(...this.line.completed.map((text) => new Option(text)));
    this.draw();
    if (this.look.branch === null) this.know.show(game);
  }

  /** The way that is shown: the one that was pressed, else up; an unseen card is laid down. */
  get chosen() {
    const down = this.wanted ?? (this.draft.own[0] === "?" && this.low !== null);
    const told = down ? this.low : this.told;
    return told ? { ...told, down } : null;
  }

  draw() {
    const { draft, table, line, game } = this;
    if (game?.kind !== "game" || !table) return;
    const { told, chosen } = this;
    const cells = chosen?.judged?.found.flatMap((each) => each.cells) ?? [];
    const amounts = told?.may_draw ?? [];
    this.sight(table);
    const ended = table.result !== null && this.place === null;
    at("game").classList.toggle("over", ended);
    this.scene.show({
      table, draft, hand: this.hand, offers: told?.offers, down: chosen?.down ?? false, amounts, variant: game.variant,
      asked: this.drawsAsked,
      verdict: chosen?.judged ? { illegal: illegal(chosen), cells } : null,
      counted: this.wants("fill") ? draft.fill : draft.draw, lost: this.know.lost, chances: this.know.chances,
    });
    at("mover").textContent = spoken(this.mover ?? "");
    const most = amounts.at(-1) ?? 0;
    const why = this.look.branch === null && game.ended;
    const whose = this.place === null ? say("liveboard_turn", { player: this.mover })
      : say("liveboard_editing", { turn: this.place });
    const drawing = told && say(told.draws_known ? "liveboard_may_draw" : "liveboard_may_draw_most", { count: most });
    const begin = told && !most ? "liveboard_hint_drawn" : "liveboard_hint";
    const hint = ended ? [why || say("liveboard_over", { result: table.result }), this.know.last] : [
      this.look.branch && say("liveboard_what_if_hint"),
      [whose, drawing].filter(Boolean).join(" · "),
      say(this.stuck ? "liveboard_nothing_left" : begin),
    ];
    const other = this.low === null ? null : chosen?.down ? told : this.low;
    const pressed = this.why !== null && [line, told, this.low].includes(this.why);
    const change = (act) => this.change(act);
    tell({ told, other, chosen, draft, line, hint, change, pressed, asked: this.drawsAsked, open: !this.know.silent });
    this.buttons(chosen);
    this.look.drawn();
  }

  /** Whether tapped cards were drawn: as the hand that moves is seen, until somebody says otherwise. */
  sight(table) {
    const key = `${this.game.file} ${this.game.game}`;
    if (this.seenOf === key) return;
    this.seenOf = key;
    at("seen").checked = !Object.values(table.hands).some((hand) => hand.includes("?"));
  }

  buttons(chosen) {
    const { line, told, low, draft } = this;
    const typed = line !== null;
    const face = (id, one, kind) => {
      const ready = Boolean(one?.text) && (typed || illegal(one) || !(due(one) || this.drawsAsked));
      able({ [id]: ready });
      at(id).classList.toggle("no", illegal(one));
      at(id).classList.toggle("go", ready && !illegal(one));
      const [again, both] = [this.why !== null && this.why === one, illegal(told) && illegal(low)];
      const keep = again ? "liveboard_keep_again" : !both ? "liveboard_keep" : id === "up" ? "liveboard_keep_up"
        : "liveboard_keep_down";
      const said = ready && illegal(one) ? keep : kind;
      if (id === "up" && exchange && !typed && !told?.text) at(id).replaceChildren(...places(draft));
      else at(id).textContent = say(said, { ...words, sign: ready ? sign(one.judged) : "" });
    };
    const { own, exchange, taken } = draft;
    const cell = draft.cell ?? "…";
    const paid = /D (.+?)=/.exec(told?.text)?.[1] ?? "…";
    const card = own[0] ?? draft.shown ?? /C \w+=(\w+)/.exec(told?.text)?.[1] ?? "?";
    const words = { card, cell, taken, paid };
    const lays = own.length === 1 && !exchange;
    const opens = !own.length && draft.cell !== null;
    const plain = typed || draft.none || !(lays || opens || exchange);
    const acts = exchange ? "liveboard_pays" : lays ? "liveboard_up" : "liveboard_opens";
    face("up", typed ? line : told, plain ? "liveboard_confirm" : acts);
    face("down", typed ? null : low, exchange ? "liveboard_pays_down" : "liveboard_down");
    at("down").classList.toggle("off", plain || (low === null && !lays));
    at("clear").textContent = say(this.place === null ? "liveboard_clear" : "liveboard_leave");
    able({ clear: !draft.empty || typed || this.place !== null });
    const left = this.stuck && !draft.none;
    const [skip, place] = [at("none"), at(left ? "acts" : "typed")];
    skip.classList.toggle("go", left);
    put("hidden", { up: left, down: left });
    if (skip.parentNode === place) return;
    const held = document.activeElement === skip;
    place.append(skip);
    if (held) at("up").focus({ preventScroll: true });
  }

  /** A press waits for what the board says of what it lies on; where something else was tapped meanwhile it is let
   * go. What the rules refuse is shown with why, and kept as disputed by another press. */
  async confirm(down) {
    const { judging } = this;
    await judging;
    if (judging !== this.judging || at(down ? "down" : "up").getAttribute("aria-disabled") === "true") return;
    const one = this.line ?? (down ? this.low : this.told);
    const again = this.why === one;
    if (!illegal(one) || again) return this.play(down, again);
    this.why = one;
    this.wanted = down;
    return this.draw();
  }

  play(down, disputed) {
    const { place } = this;
    const line = at("line").value.trim();
    const what = line ? { line } : { draft: this.draft.told(down) };
    if (this.look.still) return false;
    const sent = at("line").value;
    if (this.look.branch) return this.look.open(this.look.upTo(this.look.now), { ...what, disputed, sent });
    return this.edit({ op: "turn", ...what, disputed, ...(place === null ? {} : { place }) }, sent);
  }
}

live(new Board());
