/* What if: one more card is laid; the windows of a step are compared with it, and the answer is told in words. */

/** What a step's windows say of a card up on a cell: the clause that bars the cell, the bounds that it breaks. */
function judged(data, step, card, cell) {
  const fit = step.fits[cell];
  const finish = card === "F";
  const number = !finish ? Number(card) : fit.finish_free ? null : data.finish;
  const [low, high] = number === null ? [] : [fit.low, fit.high];
  const broken = [
    ...(low && number < low[0] ? [["live_from", low]] : []),
    ...(high && number > high[0] ? [["live_up_to", high]] : []),
  ];
  const kept = finish ? fit.finish_kept : fit.kept?.some(([first, last]) => first <= number && number <= last);
  return { bar: (finish ? fit.finish_bar : fit.bar) ?? null, broken, kept, others: finish ? null : fit.kept };
}

function trial(data, step, card, cell) {
  const { bar, broken, kept, others } = judged(data, step, card, cell);
  const accepted = broken.length === 0 && !bar;
  const taken = Object.values(step.cells).includes("?") ? "live_perhaps" : "live_accept";
  const verdict = broken.length > 0 ? "live_refuse" : bar ? "live_would_accept" : taken;
  const lines = bar ? [say("live_bar", { clause: bar, cell, title: data.bars[bar] })] : [];
  lines.push(say(verdict, { card, cell }));
  for (const [kind, [number, clause, other]] of broken) {
    const text = step.cells[other];
    const lying = text.startsWith("~") ? "lying_down" : "lying_up";
    lines.push(say(kind, { clause, number, other: say(lying, { card: text, cell: other }) }));
  }
  if (accepted) lines.push(...closing(step, cell, kept, others));
  return { card, cell, lines, accepted, conflict: broken.map(([, [, , other]]) => other) };
}

/** Whether the tower can still be completed with the card, and what else could lie there. */
function closing(step, cell, kept, others) {
  if (step.outlook.answer === "unknown") return step.told;
  if (step.outlook.answer === "deadlocked") return [say("live_dead_already")];
  if (kept) return [say("live_completes")];
  const range = ([first, last]) => (first === last ? `${first}` : say("first_last", { first, last }));
  const rest = { cards: listed((others ?? []).map(range)), cell };
  return [say("live_deadlocks"), ...(rest.cards ? [say("live_would_not", rest)] : [])];
}

/** The lines of the position with the card laid: a question about the tower, with nobody to move. */
function linesWith(lines, { card, cell }) {
  const left = card === "F" ? /^(turn|last|deck|front)( |$)/ : /^(turn|last|deck)( |$)/;
  const kept = lines.filter((line) => !left.test(line));
  return kept.map((line) => {
    const words = line.split(" ");
    if (words[0] === "tower") {
      const laid = words.map((word) => (word.startsWith(`~${card}@`) ? word.replace(`~${card}@`, "~?@") : word));
      return [...laid, `${card}@${cell}`].join(" ");
    }
    const from = words[0] === "hand" ? 2 : words[0] === "reserve" ? 1 : words.length;
    return words.filter((word, i) => i < from || word !== card).join(" ");
  });
}

class WhatIf {
  constructor(game) {
    this.game = game;
    [this.card, this.cell] = [game.part("card"), game.part("cell")];
    this.forget();
    for (const list of [this.card, this.cell]) list.addEventListener("change", () => this.tryIt());
    game.part("clear").addEventListener("click", () => this.clear());
    game.part("copy").addEventListener("click", () => this.copy());
  }

  /** Nothing is chosen any more. */
  forget() {
    [this.trial, this.chosen] = [null, null];
    this.sheet(false);
  }

  /** On a narrow window the panel stands over what is below the tower, while a cell is chosen. */
  sheet(on) {
    this.game.part("trial").closest("[data-panel]").toggleAttribute("data-sheet", on);
  }

  choices() {
    const { card, cell } = this;
    const values = this.game.step.cards.map((value) => [value, value === "F" ? say("live_finish") : value]);
    refill(card, [["", say("live_a_card")], ...values]);
    const groups = new Map([[say("live_now"), []]]);
    for (const [name, { bar }] of Object.entries(this.game.step.fits)) {
      const group = bar ? say("live_not_now", { clause: bar }) : say("live_now");
      groups.set(group, [...(groups.get(group) ?? []), name]);
    }
    refill(cell, [["", say("live_a_cell")]], [...groups]);
    [card.value, cell.value] = this.trial ? [this.trial.card, this.trial.cell] : ["", this.chosen ?? ""];
    this.report();
  }

  /** Choose a cell of the picture: what if tells of it, and lays the card there that is chosen. */
  pick(cell) {
    const card = this.card.value;
    this.game.panels.open("what-if");
    this.chosen = cell;
    this.sheet(true);
    this.tryIt(card, cell);
  }

  clear() {
    this.sheet(false);
    this.tryIt("", "");
  }

  /** Try the card and the cell that are chosen; those that are given are chosen first. */
  tryIt(...given) {
    this.game.play(false);
    const selects = [this.card, this.cell];
    given.forEach((value, i) => (selects[i].value = value));
    const [card, cell] = selects.map((each) => each.value);
    this.chosen = cell || (given[1] ?? null) || null;
    this.trial = card && cell ? trial(this.game.data, this.game.step, card, cell) : null;
    this.game.fill(false);
    this.report();
  }

  report() {
    const told = this.game.part("trial");
    const lines = this.trial ? this.trial.lines : [this.hint()];
    told.replaceChildren(...lines.map((line) => element("p", {}, line)));
    told.classList.toggle("no", Boolean(this.trial && !this.trial.accepted));
    const position = this.trial ? linesWith(this.game.step.lines, this.trial) : this.game.step.lines;
    this.game.part("cgn").value = [...this.game.sight.head, ...position, ""].join("\n");
  }

  /** What to do, or why nothing can be tried on the chosen cell. */
  hint() {
    const card = this.game.glasses().get(this.chosen);
    if (["up", "down"].includes(card?.kind)) return say("live_lies", { card: card.text, cell: this.chosen });
    if (Object.keys(this.game.step.fits).length === 0) return say("live_no_card");
    return say("live_choose");
  }

  async copy() {
    const text = this.game.part("cgn");
    text.select();
    const done = await copied(text.value);
    this.game.write("copy", say(done ? "live_copied" : "live_press"));
  }
}

function refill(select, options, groups = []) {
  const option = ([value, text]) => element("option", { value }, text);
  const group = ([label, cells]) => element("optgroup", { label }, ...cells.map((cell) => option([cell, cell])));
  const parts = groups.filter(([, cells]) => cells.length > 0).map(group);
  select.replaceChildren(...options.map(option), ...parts);
}
