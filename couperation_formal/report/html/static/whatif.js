/* What if: the windows of a step compared with one more card, and the answer in words. */

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
  const verdict = broken.length > 0 ? "live_refuse" : bar ? "live_would_accept" : "live_accept";
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
  const rest = { cards: (others ?? []).map(range).join(", "), cell };
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
