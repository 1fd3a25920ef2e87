/* What was tapped of a turn. It knows where a card was tapped and no rule: what the taps make is for the board to
   say. */
export class Draft {
  draw = [];
  open = false;
  /** Whether it was said that nothing was drawn. */
  zero = false;
  /** The player's own cards that were tapped, in their order. */
  own = [];
  /** The card of the Reserve that is wanted, and the card that an opened one shows. */
  taken = null;
  shown = null;
  cell = null;
  /** The card that comes back from the cell, as it is written behind x. */
  replaced = [];
  none = false;
  sum = null;
  fill = [];
  drop = [];
  trim = [];

  /** As the board tells a turn that was played. */
  static of({ draw = [], draw_open: open = false, action, card, cell = null, sent = [], destroyed = [], ...told }) {
    const { sign, adjust = [], replaced, fill = [], drop = [], trim = [] } = told;
    const [paid, shows] = [action === "D", action === "C"];
    return Object.assign(new Draft(), {
      draw, open, zero: !draw.length && !open, cell, fill, drop, trim, none: action === "-",
      own: "AB".includes(action) ? [card] : [...sent, ...destroyed], taken: paid ? card : null,
      shown: shows ? card : null, replaced: replaced ? [replaced] : [], sum: paid ? { sign, adjust } : null,
    });
  }

  get empty() {
    return this.begun === false && !this.drawn;
  }

  /** Whether it was said what was drawn. */
  get drawn() {
    return this.draw.length > 0 || this.open || this.zero;
  }

  /** Whether something of the action was tapped. */
  get begun() {
    return this.own.length > 0 || this.taken !== null || this.shown !== null || this.cell !== null || this.none;
  }

  get exchange() {
    return this.taken !== null || this.own.length > 1;
  }

  /** What is asked of the board; `down` is the other way to lay the card. */
  told(down) {
    const { draw, open, own, taken, shown, cell, replaced, sum, fill, drop, trim } = this;
    const told = { draw, draw_open: open, fill, drop, trim };
    if (this.none) return { ...told, action: "-" };
    if (this.exchange) {
      const [sent, destroyed] = [own.slice(0, 2), own.slice(2)];
      return { ...told, action: "D", card: taken, cell, sent, destroyed, replaced: replaced[0], down, ...sum };
    }
    if (own.length === 1) return { ...told, action: down ? "B" : "A", card: own[0], cell };
    return cell === null ? told : { ...told, action: "C", cell, card: shown };
  }

  /** So many cards were drawn, or filled in after the action: those that were not seen are behind the others. */
  count(part, number) {
    const cards = this[part];
    const seen = number ? cards.filter((each) => each !== "?") : [];
    const more = cards.length === number ? 0 : number - seen.length;
    this[part] = [...seen, ...Array(Math.max(0, more)).fill("?")];
    if (part === "draw") {
      this.zero = number === 0 && !this.zero;
      this.open = false;
    }
  }

  /** A card that was drawn and seen: one of those that were counted, if any is left. */
  drew(card) {
    const at = this.draw.indexOf("?");
    if (at < 0 || this.draw.includes(card)) this.toggle("draw", card);
    else this.draw = this.draw.map((each, i) => (i === at ? card : each));
  }

  /** Name a card of a part, or no more. */
  toggle(part, card) {
    const cards = this[part];
    this[part] = cards.includes(card) && card !== "?" ? cards.filter((each) => each !== card) : [...cards, card];
  }

  /** An own card: tapped once more it stays in the hand. `most` is how many unseen ones there are. */
  mine(card, most = 1) {
    this.none = false;
    this.sum = null;
    const count = this.own.filter((each) => each === card).length;
    if (count >= most) this.own = this.own.filter((each) => each !== card);
    else this.own = [...this.own, card];
  }

  reserve(card) {
    this.none = false;
    this.sum = null;
    this.taken = this.taken === card ? null : card;
  }

  /** A cell; `down` tells that the card there lies down, `known` which cards are seen in the hand. */
  place(cell, down, known) {
    this.none = false;
    this.replaced = [];
    this.cell = this.cell === cell ? null : cell;
    if (this.cell === null) this.shown = null;
    else if (down && this.own.length === 1 && this.taken === null && ![...known, "?"].includes(this.own[0])) {
      this.shown = this.own.pop();
    }
  }

  /** A way to pay, as the board offers it. */
  pay({ taken, sent, sign, destroyed = [], adjust = [] }) {
    this.none = false;
    this.taken = taken;
    this.own = [...sent, ...destroyed];
    this.sum = { sign, adjust };
  }
}
