/* What lies beside the tower: hands, Reserve and what is gone, as rows of cards of one size. */
const Table = (() => {
  const SIGNS = { 1: "♦", 2: "♦♦", H: "♥" };

  const hidden = (text) => element("span", { class: "hidden" }, ` ${text}`);
  const sign = (text, mark = "") => element("span", { class: "mark", "aria-hidden": "true", "data-mark": mark }, text);

  const marked = (mark) => sign(SIGNS[mark], mark);

  /** One card; `refused` one that was drawn against the rules, `note` what stands below it. */
  function card(text, mark, { note, refused } = {}) {
    const item = element("li", { class: refused ? "card refused" : "card" }, element("span", { class: "value" }, text));
    if (mark) item.append(marked(mark), hidden(say("live_marked", { mark })));
    else if (note) item.append(element("span", { class: "mark note" }, note));
    else if (text === "F") item.append(sign("★"));
    if (refused) item.append(hidden(say("live_refused_card")));
    return item;
  }

  function unseen(count, refused) {
    const back = element("li", { class: refused ? "card back refused" : "card back" }, element("span", {}, "?"));
    if (count > 1) back.append(element("span", { class: "times", "aria-hidden": "true" }, `×\u2009${count}`));
    back.append(hidden(say("live_hidden", { count })));
    if (refused) back.append(hidden(say("live_refused_card")));
    return back;
  }

  function items(cards, marks, refused = false) {
    const seen = cards.filter((each) => each !== "?");
    const found = seen.map((each) => card(each, marks[each], { refused }));
    return seen.length < cards.length ? [...found, unseen(cards.length - seen.length, refused)] : found;
  }

  /** How many places these cards take in a row: the unseen ones take one. */
  function places(cards, refused = [], front = false) {
    const each = (some) => some.filter((one) => one !== "?").length + Number(some.includes("?"));
    return Math.max(1, each(cards) + each(refused) + Number(front));
  }

  /**
   * Show a pile. `front` is whether the Finish card lies in front of the hand, `refused` are cards that were drawn
   * against the rules, `room` is how many places the pile takes at most: so many it takes always, so nothing moves.
   * `sizes` tells how many cards there may be where draws were not noted.
   */
  function show(list, cards, marks, { front = false, refused = [], room = 0, sizes = "" } = {}) {
    const known = sizes ? cards.filter((each) => each !== "?") : cards;
    const found = [...items(known, marks), ...items(refused, marks, true)];
    if (sizes) found.push(element("li", { class: "none" }, sizes));
    if (front) found.push(card("F", undefined, { note: say("live_in_front") }));
    if (found.length === 0) found.push(element("li", { class: "none" }, say("live_none")));
    while (found.length < room) found.push(element("li", { class: "card room" }));
    list.replaceChildren(...found);
  }

  return { marked, places, show };
})();
