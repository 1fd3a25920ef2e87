/* What if: the windows of a step compared with one more card, and the answer in words. */
const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
const UNTOLD = "Whether the tower can be completed cannot be told: an up card is not shown, or no pyramid holds it";
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const lower = (text) => (text ? text[0].toLowerCase() + text.slice(1) : "");

/** What a step's windows say of a card up on a cell: the clause that bars the cell, the bounds that it breaks. */
function judged(data, step, card, cell) {
  const fit = step.fits[cell];
  const finish = card === "F";
  const number = finish ? data.finish : Number(card);
  const [low, high] = number === null ? [] : [fit.low, fit.high];
  const broken = [
    ...(low && number < low[0] ? [["from", "on lie above", low]] : []),
    ...(high && number > high[0] ? [["up to", "lie below", high]] : []),
  ];
  const kept = finish ? fit.finish_kept : fit.kept?.some(([first, last]) => first <= number && number <= last);
  return { bar: (finish ? fit.finish_bar : fit.bar) ?? null, broken, kept, others: finish ? null : fit.kept };
}

function trial(data, step, card, cell) {
  const { bar, broken, kept, others } = judged(data, step, card, cell);
  const lines = [];
  if (bar) lines.push(`${bar} refuses ${cell}: ${lower(data.bars[bar])}.`);
  if (broken.length === 0) lines.push(`${bar ? "The orders would accept" : "The orders accept"} ${card} on ${cell}.`);
  else {
    lines.push(`The orders refuse ${card} on ${cell}.`);
    for (const [from, lie, [number, clause, other]] of broken) {
      lines.push(`${clause}: only numbers ${from} ${number} ${lie} ${cardWords(other, step.cells)}.`);
    }
  }
  if (broken.length === 0 && !bar) lines.push(...closing(step, cell, kept, others));
  const conflict = broken.map(([, , [, , other]]) => other);
  return { card, cell, lines, accepted: broken.length === 0 && !bar, conflict };
}

function cardWords(cell, cells) {
  const text = cells[cell];
  if (text.startsWith("~")) return `the down card on ${cell}`;
  return `${text === "F" ? "the Finish card" : text} on ${cell}`;
}

/** Whether the tower can still be completed with the card, and what else could lie there. */
function closing(step, cell, kept, others) {
  if (step.outlook.answer === "unknown") return [`${UNTOLD}.`];
  if (step.outlook.answer === "deadlocked") return ["The tower is deadlocked already, and stays so."];
  if (kept) return ["The tower can still be completed with it."];
  const ranges = (others ?? []).map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  const rest = ranges.length > 0 ? `Of the cards that are left ${ranges.join(", ")} on ${cell} would not.` : "";
  return ["It would deadlock the tower.", ...(rest ? [rest] : [])];
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
