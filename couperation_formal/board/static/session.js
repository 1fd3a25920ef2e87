/* The file that is shown and its revision: what is asked of the board, and what is written. */
import { button, element, listed, say, spoken } from "/static/shared.js";
import { able, ask, at, file, Link, pressed, put, query } from "./net.js";
import { Start } from "./start.js";

/** What is made of it says its heir: `shown` shows a game, `forget` lets go of what was begun, `played` of what was
 * written, `yours` is its line. */
export class Session {
  game = null;
  revision = 0;
  /** The game of the file that is shown; null is the last one. */
  index = null;
  /** Whether a new game is begun: what was asked for before comes behind it. */
  begun = false;
  /** Whether an edit is being written, what the next table waits for, and how often a game was asked for. */
  writing = false;
  pending = null;
  loads = 0;

  constructor() {
    new Start((what) => this.begin(what));
    for (const op of ["undo", "redo"]) pressed(op, () => this.edit({ op }));
    pressed("again", () => this.again());
    pressed("let-go", () => this.letGo());
    at("file").addEventListener("change", () => this.other(null));
    at("which").addEventListener("change", () => this.other(Number(at("which").value)));
    pressed("new", () => this.fresh(at("new").getAttribute("aria-pressed") !== "true"));
    at("naming").hidden = Boolean(document.body.dataset.file);
  }

  /* What is there */

  /** Another file, or another game of this one. */
  other(index) {
    this.hush();
    this.index = index;
    this.begun = false;
    this.forget();
    return this.waits(this.load());
  }

  /** Another table comes with this; it tells false where none does. */
  async waits(pending) {
    this.pending = pending;
    try {
      return await pending;
    } finally {
      if (this.pending === pending) this.pending = null;
    }
  }

  /** A tap is one on the table that is waited for. */
  async tapped(act) {
    while (this.pending) if (await this.pending === false) return;
    act();
  }

  get asking() {
    return { file: file(), ...(this.index === null ? {} : { game: this.index }) };
  }

  /** Whether a new game is begun; the one that is shown stays as it is. */
  fresh(begun) {
    this.begun = begun;
    at("new").setAttribute("aria-pressed", String(begun));
    at("start").hidden = !begun;
    at("game").hidden = begun || this.game?.kind !== "game";
    if (begun) at("start").querySelector("input").focus();
    else this.renew();
  }

  async load() {
    if (file() === null) return this.fresh(true);
    const mine = ++this.loads;
    const { ok, said } = await ask(query("/api/game", this.asking));
    if (mine !== this.loads) return;
    if (ok) this.show(said);
    else this.away(said);
    return ok;
  }

  away(said) {
    this.notice(say("liveboard_gone_away"), said?.said);
    this.cut = true;
  }

  /** Tell why something was not done. */
  failed({ status, said }) {
    if (status === 422 && said.draft?.judged) this.refused(said.draft.judged);
    else if (status) this.notice(said?.said ?? said);
    else this.away(said);
  }

  /** The board is heard, perhaps again: it may have told something meanwhile, and has not heard what was begun or
   * shared. */
  heard() {
    const { cut } = this;
    this.share.resume();
    if (cut) this.notice();
    return this.renew(cut);
  }

  notice(...texts) {
    this.cut = false;
    at("notices").replaceChildren(...texts.filter(Boolean).map((text) => element("p", {}, text)));
  }

  /** With the next act what was noted is gone, but for what has to be decided. */
  hush() {
    for (const each of at("notices").querySelectorAll("p:not(:has(button))")) each.remove();
  }

  show(game) {
    this.game = game;
    this.revision = game.revision;
    const title = document.title = game.event ?? game.file;
    put("textContent", { title, kept: say("liveboard_kept", { file: game.path }) });
    this.notice(...game.told, ...(game.said ?? []));
    if (game.outside) this.outside();
    if (at("game").hidden) scrollTo({ top: 0, behavior: "instant" });
    at("which").replaceChildren(...game.games.map(({ index, event, players }) => {
      const name = say("liveboard_game", { index, event: event ?? listed(players.map(spoken)) });
      return new Option(name, index, false, index === game.game);
    }));
    const plays = game.kind === "game";
    const start = game.game === null || this.begun;
    at("new").setAttribute("aria-pressed", String(start));
    put("hidden", { several: game.games.length < 2, start: !start, "no-game": start || plays, game: start || !plays });
    able({ undo: game.undo !== null, redo: game.redo !== null });
    this.shown();
  }

  /** Somebody else has changed the file: it is told with what differs, and whoever writes here decides. */
  outside() {
    const decide = (kind, mine) => button(say(kind), {}, async () => {
      this.posting = ask("/api/theirs", { file: file(), mine });
      const { ok, status, said } = await this.posting;
      if (!ok) return this.failed({ status, said });
      this.show({ ...said, said: [] });
      this.notice(said.said);
    });
    const lines = element("pre", { tabindex: 0 });
    const differs = element("details", {}, element("summary", {}, say("liveboard_differs")), lines);
    differs.addEventListener("toggle", async () => {
      const { ok, said } = await ask(query("/api/outside", { file: file(), game: this.game.game ?? "" }));
      lines.textContent = ok ? said.join("\n") || say("liveboard_same") : said?.said ?? "";
    });
    const told = [say("liveboard_outside"), " ", decide("liveboard_mine", true), decide("liveboard_theirs", false)];
    at("outside")?.remove();
    at("notices").append(element("div", { id: "outside" }, element("p", {}, ...told), differs));
  }

  /* What is written */

  /** Post; word of what this page itself changed is heard afterwards. Where the game is as it was, and only its
   * revision another one, as of a board that was started again, it is posted once more. */
  async posted(body) {
    const post = () => this.posting = ask("/api/edit", { file: file(), revision: this.revision, ...body });
    let answer = await post();
    const { game } = answer.said ?? {};
    if (answer.status === 409 && body.revision === undefined && game.text === this.game.text) {
      this.revision = game.revision;
      answer = await post();
    }
    if (answer.ok) this.revision = answer.said.revision;
    return answer;
  }

  /** Post an edit of what is shown; whether it was accepted. With `sent`, the line as it stands, what was begun is
   * then played. What is pressed while another one is being written is let go. */
  edit(what, sent = null) {
    if (this.writing) return false;
    this.hush();
    this.begun = false;
    return this.waits(this.write(what, sent));
  }

  async write(what, sent) {
    this.writing = true;
    const yours = sent !== null ? this.yours : what.text ?? what.branch?.turns.join("\n") ?? what.op;
    const { ok, status, said } = await this.posted({ file: this.game.file, game: this.game.game, ...what });
    this.writing = false;
    if (ok) {
      if (sent !== null) this.played(sent);
      this.show(said);
    } else if (status === 409) this.both(yours, said.game);
    else this.failed({ status, said });
    return ok;
  }

  /** Begin a game: what is to be told where that cannot be. */
  async begin(what) {
    const name = document.body.dataset.file ? null : at("name").value.trim();
    if (name !== null) {
      const { ok, said } = await ask("/api/new", { file: name });
      if (!ok) return said?.said ?? say("liveboard_gone_away");
      what = { ...what, file: name, revision: said.revision };
    }
    const { ok, status, said } = await this.posted(what);
    if (ok) {
      this.begun = false;
      this.loads += 1;
      if (name !== null) at("file").append(new Option(name, name, false, true));
      this.index = null;
      this.forget();
      this.show(said);
    } else if (status === 409 && name === null) this.revision = said.game.revision;
    return ok ? null : said?.said ?? say("liveboard_gone_away");
  }

  /* Something else was written meanwhile */

  /** Show both: what is there, and what was to be written here. */
  both(yours, game) {
    this.newer = game;
    at("stale").hidden = false;
    put("textContent", { yours, there: game.text ?? "" });
    at("there").scrollTop = at("there").scrollHeight;
    at("again").focus();
  }

  letGo() {
    this.forget();
    this.again();
  }

  again() {
    at("stale").hidden = true;
    this.show(this.newer);
  }

  /** Word of another revision: what was begun here is not moved to it unasked. */
  async changed({ file: name, revision }) {
    await this.posting;
    if (name !== file() || revision === this.revision || !at("start").hidden) return;
    return revision === null ? this.outside() : this.renew();
  }

  /** Ask whether there is another revision; what is begun by the time of the answer is not moved to it. The same one is
   * shown `again` where that is told. */
  async renew(again = false) {
    if (!this.game || !at("start").hidden) return;
    const mine = this.loads;
    const { revision } = this;
    const { ok, said } = await ask(query("/api/game", this.asking));
    if (mine !== this.loads || revision !== this.revision || !at("start").hidden) return;
    if (!ok || said.path !== this.game.path) return this.away(ok ? null : said);
    if (said.revision === revision && !again && !said.outside) return;
    if (this.idle || said.revision === revision || said.text === this.game.text) this.show(said);
    else this.both(this.yours || say("liveboard_begun"), said);
  }
}

/** Show what there is, and go on hearing of it. */
export async function live(session) {
  if (!document.body.dataset.file) {
    const { said } = await ask("/api/files");
    at("files").hidden = false;
    const chosen = at("file").value;
    at("file").replaceChildren(...said.files.map((name) => new Option(name, name, false, name === chosen)));
  }
  await session.load();
  new Link({
    open: () => session.heard(), changed: (told) => session.changed(told), closed: say("liveboard_closed"),
  });
}
