/* How a game begins: players, rulebook, variant, marks, and what was dealt as far as it was seen. */
import { button, element, press, say, toldOf } from "/static/shared.js";
import { at, remember, SETUP, submitted } from "./net.js";
import { card, picked } from "./scene.js";

const GLASS = Array.from({ length: SETUP.cards }, (_, i) => String(i + 1));

export class Start {
  constructor(begin) {
    this.marks = { ...SETUP.settings.marks };
    at("start-said").textContent = SETUP.said;
    this.current = "1";
    this.dealt = new Map();
    this.target = 0;
    this.begin = begin;
    at("rules").value = SETUP.default;
    at("rulings").append(...SETUP.rulings.map(({ name, question, options }) => {
      const choice = element("select", { "data-ruling": name }, new Option(say("liveboard_as_book"), ""),
        ...options.map((each) => new Option(toldOf(each.name, each.meaning), each.name)));
      return element("label", {}, element("span", {}, question), choice);
    }));
    for (const id of ["marks", "dealt"]) at(id).append(...GLASS.map((text) => card(text)));
    picked("marks", (text) => this.go(text));
    picked("dealt", (text) => this.deal(text));
    const fixed = [...SETUP.open, SETUP.laid];
    for (const button of at("dealt").children) button.disabled = fixed.includes(button.dataset.card);
    for (const button of at("marking").querySelectorAll("[data-mark]")) {
      button.addEventListener("click", () => this.mark(button.dataset.mark));
    }
    submitted("start", () => this.send());
    at("start").addEventListener("input", () => this.draw());
    this.draw();
  }

  get players() {
    return [...at("start").querySelectorAll('[name="player"]')].map((each) => each.value.trim()).filter(Boolean);
  }

  /** The Reserve and the hands: as many cards as each is dealt, and those of them that were seen. */
  get targets() {
    const { players } = this;
    const target = (key, name, most, always = []) =>
      ({ key, name, most, cards: [...always, ...(this.dealt.get(key) ?? [])].slice(0, most) });
    return [target("reserve", say("liveboard_reserve"), SETUP.reserve[players.length] ?? 0, SETUP.open),
      ...players.map((name, seat) => target(`hand-${seat}`, name, SETUP.deal))];
  }

  /** What is dealt to one of them; the cards that were not seen are `?`. */
  full({ cards, most }) {
    return [...cards, ...Array(most - cards.length).fill("?")];
  }

  /* Marks: one tap a card */

  go(text) {
    this.current = text;
    this.draw();
  }

  mark(mark) {
    if (mark) this.marks[this.current] = mark;
    else delete this.marks[this.current];
    remember({ marks: { [this.current]: mark || null } });
    this.current = GLASS[GLASS.indexOf(this.current) + 1] ?? GLASS[0];
    this.draw();
  }

  /* Deals: cards go where they are wanted, and on to the next when that is full */

  deal(text) {
    const { targets } = this;
    const held = targets.some(({ cards }) => cards.includes(text));
    for (const [key, cards] of this.dealt) this.dealt.set(key, cards.filter((each) => each !== text));
    const { key, most, cards } = targets[this.target];
    const room = most - cards.length;
    if (!held && room > 0) {
      this.dealt.set(key, [...(this.dealt.get(key) ?? []), text]);
      if (room === 1 && this.target + 1 < targets.length) this.target += 1;
    }
    this.draw();
  }

  draw() {
    const { targets } = this;
    this.target = Math.min(this.target, targets.length - 1);
    const told = (each) => (each.most ? toldOf(each.name, this.full(each).join(" ")) : each.name);
    at("targets").replaceChildren(...targets.map((each, i) =>
      button(told(each), { "aria-pressed": String(i === this.target) }, () => {
        this.target = i;
        this.draw();
        at("targets").children[i].focus();
      })));
    const held = new Set(targets.flatMap(({ cards }) => cards));
    press(at("dealt").children, ({ dataset }) => held.has(dataset.card));
    for (const button of at("marks").children) {
      const text = button.dataset.card;
      button.replaceChildren(...card(text, { mark: this.marks[text] }).childNodes);
    }
    press(at("marks").children, ({ dataset }) => dataset.card === this.current);
    at("marked").textContent = this.current;
    const count = Object.keys(this.marks).length;
    at("marks-told").textContent = count ? say("liveboard_marked", { count }) : "";
  }

  /** Begin, once; the next game is named and dealt anew. */
  async send() {
    if (this.sending) return;
    this.sending = true;
    const seats = this.players;
    const changes = [...at("rulings").querySelectorAll("select")].filter((each) => each.value)
      .map((each) => `${each.dataset.ruling}=${each.value}`);
    const [reserve, ...dealt] = this.targets.map((target) => this.full(target));
    const deals = Object.fromEntries(seats.map((name, seat) => [name, dealt[seat]]));
    const refused = await this.begin({
      op: "start", players: seats, rules: [at("rules").value, ...changes].join(" "), variant: at("variant").value,
      event: at("event").value.trim() || null, marks: this.marks, deals, reserve,
    });
    this.sending = false;
    at("start-said").textContent = refused ?? "";
    if (refused !== null) return;
    this.dealt.clear();
    this.target = 0;
    at("event").value = "";
    this.draw();
  }
}
