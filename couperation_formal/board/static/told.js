/* What the board says of a turn that is being made, in a place of its own that keeps its size. */
import { button, element, listed, say, toldOf } from "/static/shared.js";
import { at } from "./net.js";

export const VERDICTS = {
  legal: "liveboard_legal", illegal: "liveboard_illegal", undetermined: "liveboard_undetermined",
};
export const SIGNS = { legal: "✓", illegal: "✗", open: "±", undetermined: "·", malformed: "✗", position: "" };
const DUE = {
  draw: "liveboard_due_draw", action: "liveboard_due_card", card: "liveboard_due_card", cell: "liveboard_due_cell",
  sent: "liveboard_due_sent", replaced: "liveboard_due_replaced", fill: "liveboard_due_fill",
  drop: "liveboard_due_drop", trim: "liveboard_due_trim",
};

export const sign = (judged) => (judged ? SIGNS[judged.verdict] : "");
export const illegal = (told) => told?.judged?.verdict === "illegal";
export const due = (told) => (told?.due ?? []).some((each) => each.least > 0);

/** What a press on a card says that is due of a part. */
const NAMES = {
  card: "liveboard_unseen", replaced: "liveboard_replaced", drop: "liveboard_drop", trim: "liveboard_trim",
};

/** The rulebooks, and changes of the game's rules, under which the game would be legal with a refused turn. */
function elsewhere({ books, changes, nowhere }) {
  const said = books.length ? [say("liveboard_books", { named: listed(books) })] : [];
  if (nowhere) said.push(say("liveboard_nowhere"));
  return [...said, ...Object.values(changes).map((named) => say("liveboard_mends", { named }))];
}

const code = (clause) => element("span", { class: "code" }, clause);

/** What is wrong, with its clause. */
export const finding = ({ clause, message }) => element("p", { class: "finding" }, `${message} `, code(clause));

export const small = (text) => element("p", { class: "small" }, text);

/** A verdict in a sentence, with its reasons. */
function judgement(judged) {
  const { verdict, found: [first, ...others], ends, later } = judged;
  const said = `${SIGNS[verdict]} ${first ? say("liveboard_refused", first) : say(VERDICTS[verdict])} `;
  const head = element("p", { class: `verdict ${verdict}${first ? " finding" : ""}` }, said,
    ...(first ? [code(first.clause)] : []));
  const more = first ? elsewhere(judged) : judged.open.map((what) => say("liveboard_hangs", { what }));
  if (ends) more.push(say("liveboard_ends", { result: ends }));
  if (later) more.push(say("liveboard_later", { turn: later[0], clause: later[1], message: later[2] }));
  return [head, ...others.map(finding), ...more.map(small)];
}

/** What a cell would leave, as the board offers it; what then fits is a hint, and told where these are `open`. */
function leaves({ draw = [], windows = {}, closed = [], ends } = {}, open) {
  const told = [];
  if (draw.length) told.push(say("liveboard_leaves_draw", { count: draw.at(-1) }));
  if (closed.length && open) told.push(say("liveboard_leaves_closed", { cells: listed(closed) }));
  const ranges = Object.entries(windows).filter(([, [low, high]]) => low || high).map(([cell, [low, high]]) =>
    say(!low ? "liveboard_up_to" : !high ? "liveboard_from" : "liveboard_from_to", { cell, low, high }));
  if (ranges.length && open) told.push(say("liveboard_leaves_windows", { ranges: listed(ranges) }));
  if (ends) told.push(say("liveboard_ends", { result: ends }));
  return told.map(small);
}

/** A small button. */
const chip = (text, attributes, act) => button(text, { class: "chip", ...attributes }, act);

/** A turn of a list as a button, with what is `wrong` in it. */
export function turnButton({ place, text, words, glyphs }, wrong, act) {
  const here = wrong.filter((each) => each.turn === place);
  const made = button(element("span", { class: "words" }, words), { class: "turn", "data-place": place }, act);
  made.append(element("code", { class: "cgn" }, text));
  const disputed = glyphs.includes("~~") ? [say("liveboard_disputed")] : [];
  const told = [...disputed, ...here.map((each) => toldOf(each.clause, each.message))].join(say("liveboard_between"));
  if (told) made.append(element("span", { class: here.every((each) => each.warning) ? "small" : "finding" }, told));
  return made;
}

/** How a destroyed card changes a sum, as people read it; not told where it may do either. */
const arrow = (adjust) => ({ "^": "↑", _: "↓" })[adjust] ?? adjust ?? "±";

/** The ways to pay that are offered, as buttons. */
function sums(told, draft, change) {
  const offered = (told.offers?.sums ?? []).filter((each) => draft.taken === null || each.taken === draft.taken)
    .sort((one, other) => (one.destroyed?.length ?? 0) - (other.destroyed?.length ?? 0));
  const buttons = offered.map((each) => {
    const { taken, sent, sign: between, destroyed = [], adjust = [] } = each;
    const ways = destroyed.map((card, i) => ` ${arrow(adjust[i])}${card}`);
    const text = `${sent.join(between)}${ways.join("")} = ${taken}`;
    const same = draft.sum && draft.taken === taken && draft.own.join() === [...sent, ...destroyed].join()
      && draft.sum.sign === between && draft.sum.adjust.join() === adjust.join();
    return chip(text, { "aria-pressed": String(Boolean(same)) }, () => change(() => draft.pay(each)));
  });
  const row = element("div", { class: "chips", role: "group", "aria-label": say("liveboard_sums") }, ...buttons);
  if (buttons.length) return [row];
  return told.offers?.complete ? [small(say("liveboard_no_sum"))] : [];
}

/** The places of an exchange with their names, filled as far as was tapped: the equation as it stands. */
export function places({ own: [first, second, ...others], taken, cell, sum }) {
  const destroyed = (others.length ? others : ["…"]).map((card, i) => `${sum ? arrow(sum.adjust[i]) : "±"} ${card}`);
  const stands = [
    ["liveboard_place_pays", first ?? "…"], ["liveboard_place_pays", `${sum?.sign ?? "±"} ${second ?? "…"}`],
    ["liveboard_place_destroyed", destroyed.join(" ")], ["liveboard_place_takes", `= ${taken ?? "…"}`],
    ["liveboard_place_onto", `→ ${cell ?? "…"}`],
  ];
  return stands.map(([name, what]) => element("span", { class: "place" }, element("small", {}, say(name)), ` ${what}`));
}

/** What is due, with the cards that it can be and that were not tapped yet. */
function wanted(parts, draft, change) {
  return parts.map(({ part, least, most, cards }) => {
    const chips = cards.filter((card) => card === "?" || !draft[part]?.includes(card)).map((card) =>
      chip(card, { "data-part": part, "aria-label": say(NAMES[part], { card }) }, () => change(() => {
        if (part === "card") draft.shown = card;
        else draft[part] = [...draft[part], card];
      })));
    const count = least || most;
    return element("p", { class: `due${least ? "" : " small"}` }, say(DUE[part], { count }),
      ...(chips.length ? [" ", ...chips] : []));
  });
}

/** Those that are named to be destroyed, and what came back, each to be taken back. */
function named(draft, change) {
  const kinds = { drop: "liveboard_dropped", trim: "liveboard_trimmed", replaced: "liveboard_came_back" };
  return Object.entries(kinds).flatMap(([part, kind]) =>
    draft[part].map((text, i) => {
      const sign = part === "replaced" ? "x" : "× ";
      const label = say(kind, { card: text });
      return chip(`${sign}${text}`, { "aria-pressed": "true", "aria-label": label }, () => change(() => {
        draft[part] = draft[part].filter((_, at) => at !== i);
      }));
    }));
}

/** Show a draft; who is at something in it stays there. Where it is refused the box grows over what is above it, and
 * a press on it is seen. */
export function show(what) {
  const box = at("told");
  const held = box.contains(document.activeElement);
  box.replaceChildren(...said(what));
  const { judged } = what.line ?? what.chosen ?? {};
  const look = illegal({ judged }) ? `no${what.pressed ? " pressed" : ""}` : judged?.open.length ? "open" : "";
  const seen = box.className === look;
  box.className = look;
  if (look.startsWith("no") && !seen) box.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (held) box.focus({ preventScroll: true });
}

/** What is said of a draft: what is thought of it, what is due, what it would leave, its line. */
function said({ told, other, chosen, draft, line, hint, asked, change, open }) {
  const written = (each) => (each?.text ? [element("code", { class: "line" }, each.text)] : []);
  if (line !== null) {
    return [...(line.judged ? judgement(line.judged) : line.said ? [small(line.said)] : []), ...written(line)];
  }
  if (!told || draft.empty) return hint.filter(Boolean).map(small);
  const shown = chosen ?? told;
  const parts = shown.judged && (illegal(shown) || !due(shown)) ? judgement(shown.judged) : [];
  if (illegal(shown) && other?.text && !illegal(other)) {
    const way = say(shown.down ? "liveboard_fits_up" : "liveboard_fits_down", { sign: sign(other.judged) });
    parts.splice(1, 0, element("p", {}, way));
  }
  if (asked) parts.push(element("p", { class: "due" }, say("liveboard_asked")));
  const ways = draft.exchange && (draft.cell === null || shown.text === null) ? sums(told, draft, change) : [];
  // the button has a blank for each of these
  const blank = ways.length ? ["sent", "card", "cell"] : draft.shown ? ["card"] : [];
  const still = shown.due.filter(({ part }) => !blank.includes(part));
  parts.push(...wanted(still.filter(({ part }) => part !== "replaced"), draft, change), ...ways);
  parts.push(...wanted(still.filter(({ part }) => part === "replaced"), draft, change));
  const chips = named(draft, change);
  if (chips.length) parts.push(element("p", {}, ...chips));
  if (shown.judged && draft.cell !== null && !illegal(shown)) {
    const { offers } = told;
    const cells = draft.exchange ? offers?.places : (chosen?.down ? offers?.down : offers?.up[draft.own[0]]);
    parts.push(...leaves(cells?.[draft.cell], open));
  }
  return [...parts, ...written(shown)];
}
