/* The table as it is tapped: tower, own hand, Reserve, draws, and all fifty cards in places that never change. */
import { Drawing, Table, element, say, spoken } from "/static/shared.js";
import { at } from "./net.js";

/** A row of buttons is redrawn without losing the one that has the focus. */
function refill(row, made) {
  const before = [...row.children];
  const held = before.indexOf(document.activeElement);
  const key = before[held]?.dataset.card;
  row.replaceChildren(...made);
  if (held < 0) return;
  const same = made.find((each) => each.dataset.card === key) ?? made[Math.min(held, made.length - 1)];
  (same ?? at("line")).focus({ preventScroll: true });
}

/** What a card is called: with its mark, where that is known. */
const spokenCard = (card, mark) => mark ? say("live_card_marked", { card, mark }) : card;

/** One card as a button; an unseen one stands for `count`. */
export function card(text, { mark, pressed = false, lit = false, count = 1, label } = {}) {
  const named = text === "?" ? say("live_hidden", { count }) : spokenCard(text, mark);
  const made = element("button", {
    type: "button", class: `card${text === "?" ? " back" : ""}${lit ? " lit" : ""}`, "data-card": text,
    "aria-pressed": String(pressed), "aria-label": label ?? say("liveboard_card", { card: named }),
  }, element("span", { class: "value" }, text));
  if (mark) made.append(Table.marked(mark));
  else if (text === "F") made.append(element("span", { class: "mark" }, "★"));
  if (count > 1) made.append(element("span", { class: "times" }, `×${count}`));
  return made;
}

/** The players' cards, the Reserve, what is gone and how many are in the deck, as a list. */
export function piles(table) {
  const more = [[say("liveboard_reserve"), table.reserve], [say("liveboard_gone"), table.gone]];
  const lists = [...Object.entries(table.hands), ...more].map(([name, cards]) => {
    const list = element("ul", { class: "cards" });
    Table.show(list, cards, table.marks, { front: table.front === name, sizes: table.sizes[name] });
    const moves = table.to_move === name ? { class: "moves" } : {};
    return [element("dt", moves, spoken(name)), element("dd", {}, list)];
  });
  const deck = [element("dt", {}, say("liveboard_deck")), element("dd", {}, table.deck_size)];
  at("piles").replaceChildren(...lists.flat(), ...deck);
  for (const [, { firstChild: list }] of lists) {
    if (list.scrollWidth > list.clientWidth) list.setAttribute("tabindex", 0);
  }
}

/** Call `act` with the card that is clicked in a row. */
export function picked(id, act) {
  at(id).addEventListener("click", ({ target }) => {
    const card = target.closest("[data-card]:enabled");
    if (card) act(card.dataset.card);
  });
}

let axesShown = "";

/** Draw the glasses of a tower in its frame. */
export function drawn(slots, glasses, { frame, axes, title, won }) {
  const [x, y, wide, high] = frame.split(" ").map(Number);
  at("tower").classList.toggle("won", won);
  at("tower").setAttribute("viewBox", `${x + 10} ${y + 22} ${wide - 20} ${high - 22}`);
  at("tower").style.setProperty("--ratio", (wide - 20) / (high - 22));
  if (axesShown !== axes) at("axes").innerHTML = axesShown = axes;
  Drawing.draw(slots, glasses, false);
  at("tower-title").textContent = title;
}

export class Scene {
  /** `acts` has what is done when something is tapped: cell, own, reserve, unseen (of the fifty), draw (a number). */
  constructor(acts, cards) {
    this.slots = Drawing.slots(at("tower"));
    this.name = Drawing.choosing(at("tower"), this.slots, acts.cell);
    this.fifty = new Map([...Array(cards).keys()].map((number) => [String(number + 1), card(String(number + 1))]));
    at("fifty").replaceChildren(...this.fifty.values());
    for (const [id, act] of [["hand", "own"], ["reserve", "reserve"], ["fifty", "unseen"], ["unseen", "draw"]]) {
      picked(id, acts[act]);
      at(id).addEventListener("keydown", (event) => this.key(event, at(id)));
    }
    this.stop("1");
  }

  /** Arrows go through the cards of a row; of the fifty one is a stop of the tab key. */
  key(event, row) {
    const all = [...row.children];
    const wide = row.id === "fifty" ? getComputedStyle(row).gridTemplateColumns.split(" ").length : all.length;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide };
    const next = all[all.indexOf(event.target.closest("[data-card]")) + (steps[event.key] ?? NaN)];
    if (steps[event.key] === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (!next) return;
    if (row.id === "fifty") this.stop(next.dataset.card);
    next.focus({ preventScroll: true });
  }

  stop(text) {
    for (const [name, button] of this.fifty) button.setAttribute("tabindex", name === text ? 0 : -1);
  }

  /** Show a table with a draft on it; `offers` says what is lit, `verdict` what is thought of the cell that was
   * tapped. */
  show({ table, draft, hand, offers, down, verdict, variant, amounts, counted, asked, lost, chances }) {
    this.tower(table, draft, offers, down, verdict, lost, chances);
    this.hand(table, draft, hand);
    this.reserve(table, draft, offers);
    this.draws(draft, amounts, counted, variant, asked);
    this.all(table, draft, hand);
  }

  tower(table, draft, offers, down, verdict, lost, chances) {
    const glasses = new Map(Object.entries(table.scene.glasses).map(([cell, glass]) =>
      [cell, draft.begun ? { ...glass, flag: null } : glass]));
    const lit = this.lit(draft, offers);
    const laid = draft.taken ?? draft.shown ?? draft.own[0];
    if (lost && glasses.has(table.last)) glasses.set(table.last, { ...glasses.get(table.last), flag: "lost" });
    for (const { cell, card } of chances) {
      if (cell) glasses.set(cell, { ...(glasses.get(cell) ?? { kind: "place" }), ghost: card });
    }
    for (const cell of verdict?.cells ?? []) {
      glasses.set(cell, { ...(glasses.get(cell) ?? { kind: "place" }), flag: "conflict" });
    }
    if (draft.cell !== null && laid !== undefined && !(draft.exchange && draft.taken === null)) {
      const flag = verdict?.illegal ? "refused" : "laid";
      const glass = down ? { kind: "down", text: `~${laid}` } : { kind: "up", text: laid, mark: table.marks[laid] };
      glasses.set(draft.cell, { ...glass, flag });
    }
    drawn(this.slots, glasses, table.scene);
    const labels = [...glasses].map(([cell, glass]) => {
      const named = Drawing.label(cell, glass);
      return [cell, lit.has(cell) ? say("liveboard_lit", { cell: named }) : named];
    });
    this.name(new Map(labels), draft.cell);
    for (const [cell, slot] of this.slots) {
      slot.classList.toggle("lit", lit.has(cell));
      slot.querySelector(".leaves")?.remove();
      const leaves = lit.get(cell);
      if (leaves?.draw?.length && glasses.get(cell)?.kind === "open") {
        const text = `${leaves.sign}+${leaves.draw.at(-1)}`;
        slot.insertAdjacentHTML("beforeend", `<text class="cf-name leaves" y="24">${text}</text>`);
      }
    }
  }

  /** The cells that are lit, each with what it would leave. */
  lit(draft, offers) {
    const found = new Map();
    if (!offers || draft.none) return found;
    const light = (cells, sign = "") => {
      for (const [cell, leaves] of cells) if (!found.has(cell)) found.set(cell, leaves && { ...leaves, sign });
    };
    if (draft.exchange) light(Object.entries(offers.places).map(([cell, leaves]) => [cell.replace("~", ""), leaves]));
    else if (draft.own.length === 1) {
      light(Object.entries(offers.up[draft.own[0]] ?? {}));
      if (draft.own[0] !== "F") light(Object.entries(offers.down), "▼");
    } else light(offers.opens.map((cell) => [cell, null]));
    return found;
  }

  hand(table, draft, hand) {
    const known = hand.filter((each) => each !== "?");
    const others = draft.own.filter((each) => each !== "?" && !known.includes(each));
    const unseen = Math.max(0, hand.length - known.length - others.length);
    const made = [...known, ...others].map((text) =>
      card(text, { mark: table.marks[text], pressed: draft.own.includes(text) }));
    const sent = draft.own.filter((each) => each === "?").length;
    if (unseen) made.push(card("?", { count: unseen, pressed: sent > 0 }));
    if (unseen && sent > 1) made.at(-1).append(element("span", { class: "chosen" }, `${sent}`));
    const sizes = draft.draw.length ? null : table.sizes[table.to_move];
    if (sizes) made.push(element("span", { class: "small" }, sizes));
    refill(at("hand"), made);
  }

  reserve(table, draft, offers) {
    const found = new Set((offers?.sums ?? []).map((each) => each.taken));
    const seen = table.reserve.filter((each) => each !== "?");
    const sent = draft.own.length > 1 ? draft.own.slice(0, 2) : [];
    const more = (draft.taken === null ? sent : [draft.taken]).filter((each) => each !== "?" && !seen.includes(each));
    const unseen = table.reserve.length - seen.length - more.filter((each) => !sent.includes(each)).length;
    const face = (text) => card(text, {
      mark: table.marks[text], pressed: draft.taken === text || draft.trim.includes(text), lit: found.has(text),
    });
    const made = seen.map(face);
    if (unseen > 0) made.push(card("?", { count: unseen, pressed: draft.taken === "?" }));
    made.push(...more.map(face));
    refill(at("reserve"), made);
  }

  /** The numbers of unseen cards that can be drawn, that the draw was not noted, and the Finish card, which all see. */
  draws(draft, amounts, counted, variant, asked) {
    const count = (key, label, pressed, look = "") => element("button", {
      type: "button", class: `count${look}`, "data-card": key, "aria-label": label, "aria-pressed": String(pressed),
    }, key);
    const made = [0, 1, 2, 3, 4].map((number) => {
      const look = !amounts.includes(number) ? " faint" : asked ? " due" : "";
      const pressed = number ? counted.length === number : draft.zero;
      return count(number, say("liveboard_draws", { count: number }), pressed, look);
    });
    const open = count("*", say("liveboard_unnoted"), draft.open);
    const finish = card("F", { pressed: counted.includes("F"), label: say("live_finish") });
    refill(at("unseen"), [...made, open, ...(variant === "finish" ? [finish] : [])]);
  }

  all(table, draft, hand) {
    const lies = new Set([...hand, ...table.reserve]);
    const elsewhere = [...Object.values(table.tower), ...table.gone, ...Object.values(table.hands).flat()];
    const away = new Set(elsewhere.map((each) => each.replace("~", "")));
    for (const [text, button] of this.fifty) {
      const named = [...draft.draw, ...draft.own, ...draft.fill, draft.shown, draft.taken].includes(text)
        || draft.replaced.includes(`~${text}`);
      button.setAttribute("aria-pressed", String(named));
      button.classList.toggle("mine", lies.has(text));
      button.classList.toggle("away", !lies.has(text) && away.has(text));
      const mark = table.marks[text] ?? "";
      if (button.dataset.bears !== mark) {
        button.dataset.bears = mark;
        button.querySelector(".mark")?.remove();
        if (mark) button.append(Table.marked(mark));
      }
      const where = lies.has(text) ? "liveboard_near" : away.has(text) ? "liveboard_away" : "liveboard_card";
      button.setAttribute("aria-label", say(where, { card: spokenCard(text, mark) }));
    }
  }
}
