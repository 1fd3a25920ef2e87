/* Beside the table: the turns with what is wrong in them, the rulebooks, the other piles, the text. */
import { button, download, element, press, reveal, say } from "/static/shared.js";
import { ask, at, pressed, query, since, submitted } from "./net.js";
import { piles } from "./scene.js";
import { SIGNS, VERDICTS, turnButton } from "./told.js";

const GLYPHS = ["!", "?", "!?", "?!", "!!", "??", "~~"];

/** A part of an answer: a head with its lines, behind a fold where it tells names of rulings. */
function part({ head, lines, aside }) {
  const made = lines.map(([verdict, lead, text]) => element("p", { class: verdict },
    ...(lead ? [element("strong", {}, `${SIGNS[verdict] ?? ""} ${lead} `)] : []), text));
  return aside ? [element("details", {}, element("summary", {}, head), ...made)] : [element("h2", {}, head), ...made];
}

export class Turns {
  /** `board` has `edit(what)`, `open(place)` to put a turn anew, `look`, `panels`. */
  constructor(board) {
    this.board = board;
    this.chosen = null;
    this.asked = this.quarrels = 0;
    at("glyphs").append(...GLYPHS.map((glyph) =>
      button(glyph, { class: "quiet", "data-glyph": glyph }, () => this.glyph(glyph))));
    pressed("edit", () => this.board.open(this.chosen));
    pressed("back", () => this.board.edit({ op: "back" }));
    pressed("dispute", () => this.glyph("~~"));
    pressed("quarrel", () => this.quarrel(this.chosen));
    submitted("comment", async () => {
      const sent = at("remark").value;
      const done = await this.board.edit({ op: "comment", place: this.chosen ?? 0, text: sent });
      if (done) at("remark").value = since("remark", sent);
    });
    pressed("export", () => download(this.game.file, this.game.text));
    pressed("put-text", () => this.put());
  }

  /** Put the text that was typed, in place of the one that it was made of. */
  async put() {
    const { text, revision } = this;
    this.text = at("text").value;
    if (await this.board.edit({ op: "text", text: this.text, revision })) this.revision = this.board.revision;
    else this.text = text;
  }

  show(game) {
    const focus = at("turn").contains(document.activeElement) ? document.activeElement : null;
    const other = this.game?.file !== game.file || this.game?.game !== game.game;
    const grown = !other && this.game.turns?.length !== game.turns.length;
    this.game = game;
    if (other || this.chosen > game.turns.length) this.chosen = null;
    at("panel-turns").insertBefore(at("turn"), at("turns"));
    const dealt = button(say("liveboard_set_up"), { class: "turn small", "data-place": 0 }, () => this.pick(0));
    const turns = game.turns.map((turn) => turnButton(turn, game.wrong, () => this.pick(turn.place)));
    at("turns").replaceChildren(...[dealt, ...turns].map((each) => element("li", {}, each)));
    if (other || grown) at("panel-turns").scrollTop = at("panel-turns").scrollHeight;
    if (other || at("text").value === this.text) {
      at("text").value = game.text;
      this.text = at("text").value;
      this.revision = game.revision;
    }
    this.choose(this.chosen);
    if (focus) (focus.isConnected ? focus : at("remark")).focus({ preventScroll: true });
    piles(game.table);
    this.strip();
  }

  rowOf(place) {
    return at("turns").querySelector(`[data-place="${place}"]`).parentNode;
  }

  pick(place) {
    const chosen = this.chosen === place ? null : place;
    this.choose(chosen);
    if (chosen !== null) reveal(this.rowOf(place), at("panel-turns"));
    const { look } = this.board;
    if (look.branch === null) look.go(chosen ?? look.last);
  }

  /** Mark the turn after which the table is shown; `texts` are the turns as they are seen, null as they are written. */
  mark(now, texts) {
    for (const button of at("turns").querySelectorAll(".turn")) {
      const place = Number(button.dataset.place);
      const { text = "", words = "" } = (texts ?? this.game.turns)[place - 1] ?? {};
      for (const [part, said] of place ? [["code", text], [".words", words]] : []) {
        button.querySelector(part).textContent = said;
      }
      button.classList.toggle("unsaid", texts !== null);
      if (texts === null && this.board.know.loses(place)) button.dataset.told = `† ${say("live_loses")}`;
      else delete button.dataset.told;
      if (place !== now) button.removeAttribute("aria-current");
      else if (!button.hasAttribute("aria-current")) {
        button.setAttribute("aria-current", "step");
        reveal(button, at("panel-turns"));
      }
    }
  }

  choose(place) {
    this.chosen = place;
    press(at("turns").querySelectorAll(".turn"), ({ dataset }) => Number(dataset.place) === place);
    const turn = this.game.turns[place - 1];
    at("turn").hidden = place === null;
    if (place === null) return;
    this.unfold(place);
    this.remarks(place, (turn ?? this.game).comments);
    for (const id of ["edit", "back", "dispute", "quarrel", "glyphs"]) at(id).hidden = !turn;
    at("turn-told").textContent = turn ? say("liveboard_chosen", { turn: place, player: turn.player })
      : say("liveboard_set_up");
    if (!turn) return;
    const wrong = this.game.wrong.some((each) => each.turn === place && !each.warning);
    at("back").hidden = place !== this.game.turns.length;
    at("dispute").hidden = !wrong || turn.glyphs.includes("~~");
    press(at("glyphs").children, ({ dataset }) => turn.glyphs.includes(dataset.glyph));
  }

  /** What can be done with a turn stands below it; who is at it stays there. */
  unfold(place) {
    const row = this.rowOf(place);
    const focus = at("turn").contains(document.activeElement) ? document.activeElement : null;
    if (at("turn").parentNode !== row) row.append(at("turn"));
    focus?.focus({ preventScroll: true });
  }

  /** What is said of a turn: each comment can be removed, one that keeps a what if be opened. */
  remarks(place, comments) {
    at("remarks").replaceChildren(...comments.map(({ text, branch }, index) => {
      const quiet = (face, data, label, act) =>
        button(face, { class: "quiet", [data]: index, "aria-label": say(label, { text }) }, act);
      const open = !branch ? []
        : [quiet(say("liveboard_open"), "data-open", "liveboard_open_name", () => this.board.look.open(branch))];
      const remove = () => this.board.edit({ op: "uncomment", place, index });
      return element("li", {}, element("span", {}, text), ...open,
        quiet("×", "data-remove", "liveboard_uncomment", remove));
    }));
  }

  glyph(glyph) {
    const { glyphs } = this.game.turns[this.chosen - 1];
    const other = glyphs.includes(glyph) ? glyphs.filter((each) => each !== glyph) : [...glyphs, glyph];
    return this.board.edit({ op: "glyphs", place: this.chosen, glyphs: other });
  }

  /** What each rulebook says of the game so far: asked anew after each edit, and dropped where a newer one follows. */
  async strip() {
    const mine = ++this.asked;
    at("strip").classList.add("asking");
    at("strip").setAttribute("aria-busy", "true");
    const { file, game } = this.game;
    const { ok, said } = await ask(query("/api/strip", { file, game }));
    if (mine !== this.asked || !ok) return;
    at("strip").classList.remove("asking");
    at("strip").setAttribute("aria-busy", "false");
    at("strip").replaceChildren(...said.map((book) => {
      const text = `${SIGNS[book.verdict]} ${book.rules}${book.turn === null ? "" : ` · ${book.turn}`}`;
      return button(text, { class: `chip ${book.verdict}` }, () => {
        this.board.panels.show("books");
        if (book.turn) this.quarrel(book.turn);
      });
    }));
    at("books").replaceChildren(...said.map(({ rules, verdict, turn, clause, message }) => {
      const said = message ?? say(VERDICTS[verdict]);
      const told = clause === null ? said : say("liveboard_book_says", { turn, clause, message });
      return element("p", { class: verdict }, element("strong", {}, `${SIGNS[verdict]} ${rules} `), told);
    }));
  }

  /** The whole answer to a quarrel about a turn. */
  async quarrel(place) {
    this.board.panels.show("books");
    const mine = ++this.quarrels;
    const box = at("answer");
    box.hidden = false;
    box.textContent = say("liveboard_asking");
    const { file, game } = this.game;
    const { ok, said } = await ask(query("/api/answer", { file, game, at: place }));
    if (mine !== this.quarrels) return;
    box.replaceChildren(...(ok ? said.flatMap(part) : [said?.said ?? say("liveboard_gone_away")]));
    box.scrollIntoView({ block: "start", behavior: "instant" });
  }
}
