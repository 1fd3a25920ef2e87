/* What if: any number of turns that are tried from a table that is looked at, judged as real ones are, and not written
   until they are kept as a comment. */
import { Steps, element, say } from "/static/shared.js";
import { ask, at } from "./net.js";
import { able, pressed } from "./session.js";

/** Its heir knows what is looked at: `turn`, `now`, `last`, `named`, and how to `hold`, `show` and `leave`. */
export class WhatIf extends Steps {
  /** What if: the turn `from` which it goes, and `turns`; `wrong` is what they break. */
  branch = null;
  wrong = [];
  asked = 0;

  constructor() {
    super();
    for (const id of ["try", "fork"]) pressed(id, () => this.fork());
    pressed("what-if-back", () => this.back());
    at("what-if-drop").addEventListener("click", () => this.drop());
    pressed("what-if-keep", () => this.keep());
  }

  /** The branch as far as a turn. */
  upTo(turn) {
    const { branch } = this;
    return branch && { from: branch.from, turns: branch.turns.slice(0, turn - branch.from) };
  }

  /** What is told beside a draft that lies on what if. */
  get hint() {
    return this.branch ? [say("liveboard_what_if_hint")] : [];
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
      if (status === 422 && said.draft?.judged) board.refused(said.draft.judged);
      else {
        if (begun) this.leave();
        if (status) board.notice(said?.said ?? said);
        else board.away(said);
      }
      return false;
    }
    this.hold();
    this.branch = said.branch;
    this.wrong = said.wrong;
    this.turn = turn !== null && turn < this.last ? turn : null;
    if (!begun) board.played(sent);
    if (this.turn === null) this.arrived(said.table);
    else this.show();
  }

  /** A turn is tried: in place of what follows in the branch. */
  add(what) {
    return this.open(this.upTo(this.now), what);
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
      const row = element("li", { class: wrong.length ? "finding" : "" }, element("code", {}, text));
      row.title = wrong.map((each) => `${each.clause}: ${each.message}`).join(" ");
      if (place === this.now) row.setAttribute("aria-current", "step");
      return row;
    }));
    const there = at("what-if-turns").querySelector("[aria-current]");
    there?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    able(at("what-if-back"), this.now > from);
    able(at("what-if-keep"), turns.length > 0);
  }
}
