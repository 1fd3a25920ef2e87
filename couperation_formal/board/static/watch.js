/* A page that watches: it shows the game that the board shows it, follows each turn, and says when it is cut off. */
import { Drawing, element, press, reveal, say, spoken } from "/static/shared.js";
import { ask, at, Link, pressed, put, query } from "./net.js";
import { drawn, piles } from "./scene.js";
import { turnButton } from "./told.js";

class Watch {
  game = null;
  /** The earlier turn whose table is shown; null is the present one. It is that of who writes, but `alone`. */
  place = null;
  alone = false;
  asked = 0;

  constructor() {
    this.slots = Drawing.slots(at("tower"));
    pressed("present", () => this.choose(null));
    const load = () => this.load();
    this.link = new Link({ open: load, changed: load, closed: say("liveboard_watch_closed") });
  }

  /* Showing */

  async load() {
    const mine = ++this.asked;
    const { ok, said } = await ask("/api/game");
    if (mine !== this.asked) return;
    if (ok) this.take(said);
    else this.link.cut();
  }

  take(said) {
    put("hidden", { nothing: said.game !== null, game: said.game === null });
    if (said.game === null) return;
    const other = this.game?.players.join("\n") !== said.players.join("\n");
    this.game = said;
    if (other || this.place > said.turns.length) this.alone = false;
    if (!this.alone) this.place = said.place;
    at("title").textContent = document.title = said.players.map(spoken).join(" · ");
    const { seer } = said;
    at("seer").textContent = seer === null ? say("liveboard_watch_all") : say("liveboard_watch_as", { player: seer });
    at("turns").replaceChildren(...said.turns.map((turn) => {
      const follows = turn.place === said.turns.length && said.place === null;
      return element("li", {}, turnButton(turn, said.wrong, () => this.choose(follows ? null : turn.place)));
    }));
    this.go(this.place);
  }

  /** Look at a table alone; null follows who writes. */
  choose(place) {
    this.alone = place !== null;
    at("tower").scrollIntoView({ block: "nearest", behavior: "instant" });
    return this.go(place ?? this.game.place);
  }

  async go(place) {
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
    const now = result === null ? say("liveboard_turn", { player }) : game.ended ?? say("liveboard_over", { result });
    const turns = game.turns.length;
    at("mover").textContent = place === null ? now : say("liveboard_watch_after", { turn: place, turns });
    at("present").hidden = !this.alone;
    press(at("turns").querySelectorAll(".turn"), ({ dataset }) => Number(dataset.place) === (place ?? turns));
    drawn(this.slots, new Map(Object.entries(table.scene.glasses)), table.scene);
    piles(table);
    const row = at("turns").querySelector('[aria-pressed="true"]');
    if (row) reveal(row, at("turns"));
  }
}

new Watch();
