/* What if: the data's rules asked about one more card, and their answer in words. */
const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
const board = read("board-data");
const numberOf = new Map(board.cells.map((cell, i) => [cell, i]));
const UNTOLD = "Whether the tower can be completed cannot be told: an up card is not shown, or no pyramid holds it";
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** The tower as numbers: the up cards that show one, the down cells, and the Finish card's cell. */
function numbersOf(data, cells) {
  const numbers = new Map();
  const down = [];
  let finish = null;
  for (const [name, text] of Object.entries(cells)) {
    const cell = numberOf.get(name);
    if (text.startsWith("~")) down.push(cell);
    else if (text === "F") finish = cell;
    else if (text !== "?") numbers.set(cell, Number(text));
  }
  return { numbers, down, finish };
}

function judged(data, step, card, cell) {
  const cells = { ...step.cells, [cell]: card };
  const { numbers, down, finish } = numbersOf(data, cells);
  const ordered = new Map(numbers);
  if (finish !== null && data.reading.finish !== null) ordered.set(finish, data.reading.finish);
  const orders = Rules.judge(board, data.reading, ordered, down, numberOf.get(cell));
  const question = Rules.without(board, step.question, card === "F" ? 0 : Number(card), numberOf.get(cell));
  const refusals = Rules.refusals(board, question, numbers, finish);
  const places = card === "F" && step.places.finish ? step.places.finish : step.places;
  const bar = Object.keys(places).find((code) => code !== "open" && code !== "finish" && places[code].includes(cell));
  return { orders, refusals, bar };
}

function trial(data, step, card, cell) {
  const { orders, refusals, bar } = judged(data, step, card, cell);
  const lines = [];
  const cells = { ...step.cells, [cell]: card };
  let conflict = [];
  if (bar) lines.push(`${bar} refuses ${cell}: ${lower(board.titles[bar])}.`);
  if (orders === null) lines.push(`${bar ? "The orders would accept" : "The orders accept"} ${card} on ${cell}.`);
  else {
    const { broken = [], chain } = orders;
    lines.push(`The orders refuse ${card} on ${cell}.`, ...broken.map((each) => orderWords(each, cells)));
    if (chain) lines.push(chainWords(chain, cells));
    conflict = [...broken.flatMap((each) => [each.lower, each.upper]), ...(chain?.cells ?? [])];
  }
  if (orders === null && step.outlook.answer === "unknown") lines.push(`${UNTOLD}.`);
  else if (orders === null && refusals === null) lines.push("The tower can still be completed with it.");
  else if (orders === null) {
    lines.push(...closing(step, refusals, cells));
    conflict = refusals[0]?.reason.cells ?? [];
  }
  conflict = conflict.map((each) => board.cells[each]).filter((each) => each !== cell);
  return { card, cell, lines, accepted: orders === null && !bar, conflict };
}

const lower = (text) => (text ? text[0].toLowerCase() + text.slice(1) : "");

function cardWords(cell, cells) {
  const name = board.cells[cell];
  const text = cells[name];
  if (text.startsWith("~")) return `the down card on ${name}`;
  return `${text === "F" ? "the Finish card" : text} on ${name}`;
}

function orderWords({ clause, gap, lower: low, upper: high }, cells) {
  const places = [low, high].map((cell) => cardWords(cell, cells));
  return `${clause}: ${places[0]} would have to be ${gap > 0 ? "less than" : "at most"} ${places[1]}.`;
}

function chainWords({ cells: run, least, limit }, cells) {
  const words = run.map((cell) => cardWords(cell, cells)).join(" < ");
  return `TOW07: no numbers fit ${words}: the last would have to be at least ${least}, and has ${limit} at most.`;
}

/** What the card would close, place by place of the columns; equal reasons once. */
function closing(step, refusals, cells) {
  const already = step.outlook.answer === "deadlocked";
  const told = [...new Set(refusals.map(({ reason }) => reasonWords(reason, cells)))];
  const head = already ? "The tower is deadlocked already, and stays so." : "It would deadlock the tower.";
  return [head, ...told];
}

function reasonWords(reason, cells) {
  const names = (reason.cells ?? []).map((cell) => board.cells[cell]).sort();
  if (reason.kind === "interval") {
    const { above, below, left } = reason;
    const low = above > 0 ? above : null;
    const high = below <= board.top ? below : null;
    const where = low && high ? ` between ${low} and ${high}` : low ? ` above ${low}` : high ? ` below ${high}` : "";
    const must = names.length === 1 ? `${names[0]} must hold` : `These ${names.length} cells must all hold`;
    const are = left.length === 1 ? "is" : "are";
    const rest = left.length === 0 ? "none is left" : `only ${left.join(", ")} ${are} left`;
    return `${must} a number${where}, and ${rest}${names.length === 1 ? "" : `: ${names.join(", ")}`}.`;
  }
  if (reason.kind === "order") {
    const shown = (cell) => (cells[board.cells[cell]] ? cardWords(cell, cells) : "the Finish card");
    return `${reason.cells.map(shown).join(" would have to be less than ")}.`;
  }
  if (reason.kind === "gone") return "Too many cards out of sight are gone.";
  return reason.why === "gone" ? "The Finish card is gone." : "The Finish card lies below the apex.";
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
