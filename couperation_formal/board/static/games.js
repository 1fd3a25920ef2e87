/* The games of the folder, or of the file: told as they are read, filtered, each opened by a press. */
import { Filter, button, element, listed, say, spoken } from "/static/shared.js";
import { at, pressed } from "./net.js";
import { SIGNS } from "./told.js";

/** The lines of an answer as they come, as data. */
async function* lines(answer) {
  if (!answer.ok) throw new Error(answer.statusText);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part);
  }
}

export class Games extends Filter {
  asked = 0;

  /** `board` has `other(index)` and `fresh(begun)`. Of a folder the games are what is shown first. */
  constructor(board) {
    super(at("folder-words"), at("folder-verdicts").children, () => this.counted());
    this.board = board;
    pressed("games", () => this.open());
    pressed("folder-close", () => at("folder").close());
    pressed("folder-new", () => {
      at("folder").close();
      board.fresh(true);
    });
    at("folder").addEventListener("close", () => {
      this.asked += 1;
      this.control.abort();
    });
    if (!document.body.dataset.file) this.open();
  }

  /** Those that were read before stay until all are read again. */
  async open() {
    const mine = ++this.asked;
    if (!at("folder").open) at("folder").showModal();
    const again = this.rows.length > 0;
    const known = new Map(this.rows.map((each) => [each.row.innerHTML, each]));
    const made = [];
    this.reading = true;
    this.show();
    try {
      this.control = new AbortController();
      const { signal } = this.control;
      const settings = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}", signal };
      for await (const told of lines(await fetch("/api/folder", settings))) {
        if (mine !== this.asked) return;
        if (!told.file) continue;
        const fresh = this.row(told);
        const text = fresh.row.innerHTML;
        made.push(known.get(text) ?? fresh);
        known.delete(text);
        if (!again) this.add(made.at(-1));
      }
    } catch {
      if (mine === this.asked) at("folder-told").textContent = say("liveboard_gone_away");
      return;
    }
    if (mine !== this.asked) return;
    this.reading = false;
    if (again && (made.length !== this.rows.length || made.some((each, place) => each !== this.rows[place]))) {
      this.rows = made; // rows that say what they said stay where they are: one may just be pressed
      at("folder-games").replaceChildren(...made.map(({ row }) => row));
    }
    this.show();
  }

  add(made) {
    this.rows.push(made);
    at("folder-games").append(made.row);
    this.show([made]);
  }

  row(told) {
    const { file, index, event, players = [], verdict = "malformed", said, more } = told;
    const name = event ?? (listed(players.map(spoken)) || file);
    const where = index ? say("liveboard_row", { file, index }) : file;
    const text = more ? say("liveboard_more", { count: more, file }) : said;
    const game = button(element("span", { class: "name" }, name),
      { class: "game", "data-file": file, "data-game": index ?? "" }, () => this.choose(file, index ?? null));
    game.append(element("span", { class: `verdict ${verdict}` }, `${SIGNS[verdict]} ${text}`),
      element("span", { class: "small" }, listed([where, listed(players.map(spoken))].filter(Boolean))));
    return Filter.row(element("li", {}, game), index ? verdict : null);
  }

  /** Tell how many games there are, of each verdict too, and how many are shown. */
  counted() {
    const games = this.rows.filter(({ verdict }) => verdict !== null);
    for (const button of at("folder-verdicts").children) {
      const count = games.filter(({ verdict }) => verdict === button.dataset.verdict).length;
      if (!button.dataset.verdict) continue;
      button.hidden = count === 0;
      button.querySelector(".small").textContent = count;
    }
    const shown = games.filter(({ row }) => !row.hidden).length;
    const told = this.reading ? "liveboard_reading" : "liveboard_shown";
    at("folder-told").textContent = say(told, { shown, total: games.length });
  }

  choose(file, index) {
    at("folder").close();
    if (!document.body.dataset.file) {
      if (![...at("file").options].some((each) => each.value === file)) at("file").append(new Option(file, file));
      at("file").value = file;
    }
    this.board.other(index);
  }
}
