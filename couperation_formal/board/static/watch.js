/* A page that watches: it shows the game that the board shows it, follows each turn, and says when it is cut off. */
import { Drawing, element, press, say, spoken } from "/static/shared.js";
import { ask, at, pressed, put, query } from "./net.js";
import { drawn, piles } from "./scene.js";
import { turnButton } from "./told.js";

const SILENCE = 25_000;
const AGAIN = { 0: 1_500 };

class Watch {
  game = null;
  /** The earlier turn whose table is looked at; null follows the game. */
  place = null;
  asked = 0;

  constructor() {
    this.slots = Drawing.slots(at("tower"));
    pressed("present", () => this.choose(null));
    addEventListener("offline", () => this.cut());
    addEventListener("online", () => this.listen());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.listen();
    });
    this.listen();
  }

  /* Hearing */

  listen() {
    this.close();
    const events = this.events = new EventSource("/api/events");
    for (const kind of ["open", "changed", "still"]) events.addEventListener(kind, () => this.heard());
    for (const kind of ["open", "changed"]) events.addEventListener(kind, () => this.load());
    events.addEventListener("error", () => this.cut());
  }

  close() {
    this.events?.close();
    clearTimeout(this.silence);
    clearTimeout(this.again);
  }

  heard() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.cut(), SILENCE);
    this.link("live", say("liveboard_watch_live"));
  }

  /** Nothing is heard any more: it is told, and tried again. */
  async cut() {
    this.close();
    const { events } = this;
    this.link("cut", say("liveboard_watch_cut", { time: this.since ??= new Date().toLocaleTimeString() }));
    const { status, said } = await ask("/api/game");
    if (events !== this.events) return;
    if (status === 403) this.link("closed", say("liveboard_watch_closed"));
    if (status === 200) {
      this.link("slow", say("liveboard_watch_slow"));
      this.take(said);
    }
    clearTimeout(this.again);
    this.again = setTimeout(() => this.listen(), AGAIN[status] ?? 4_000);
  }

  link(kind, text) {
    if (kind === "live" || kind === "slow") this.since = undefined;
    document.documentElement.classList.add("live");
    at("link").dataset.link = kind;
    if (at("link").textContent !== text) at("link").textContent = text;
  }

  /* Showing */

  async load() {
    const mine = ++this.asked;
    const { ok, said } = await ask("/api/game");
    if (mine !== this.asked) return;
    if (ok) this.take(said);
    else this.cut();
  }

  take(said) {
    put("hidden", { nothing: said.game !== null, game: said.game === null });
    if (said.game === null) return;
    const other = this.game?.players.join("\n") !== said.players.join("\n");
    const grown = this.game?.turns.length !== said.turns.length;
    this.game = said;
    if (other || this.place > said.turns.length) this.place = null;
    at("title").textContent = document.title = said.players.map(spoken).join(" · ");
    const { seer } = said;
    at("seer").textContent = seer === null ? say("liveboard_watch_all") : say("liveboard_watch_as", { player: seer });
    at("turns").replaceChildren(...said.turns.map((turn) => {
      const last = turn.place === said.turns.length;
      return element("li", {}, turnButton(turn, said.wrong, () => this.choose(last ? null : turn.place)));
    }));
    if (this.place === null) {
      this.show(said.table);
      if (grown || other) at("turns").scrollTop = at("turns").scrollHeight;
    } else this.choose(this.place);
  }

  /** Look at the table after an earlier turn; null goes back to the present one. */
  async choose(place) {
    this.place = place;
    if (place === null) return this.show(this.game.table);
    const { ok, said } = await ask(query("/api/table", { turn: place }));
    if (ok && place === this.place) this.show(said);
  }

  show(table) {
    const { game, place } = this;
    const last = game.turns[(place ?? game.turns.length) - 1];
    put("textContent", { said: last?.words ?? "", last: last?.text ?? "" });
    const { to_move: player, result } = table;
    const now = result === null ? say("liveboard_turn", { player }) : say("liveboard_over", { result });
    const turns = game.turns.length;
    at("mover").textContent = place === null ? now : say("liveboard_watch_after", { turn: place, turns });
    at("present").hidden = place === null;
    press(at("turns").querySelectorAll(".turn"), ({ dataset }) => Number(dataset.place) === (place ?? turns));
    drawn(this.slots, new Map(Object.entries(table.scene.glasses)), table.scene);
    piles(table);
  }
}

new Watch();
