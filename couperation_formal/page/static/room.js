/* How much room a game takes at most, in any step and for any view: so much is kept for it in all of them. */
const Room = (() => {
  /** The cards that came to a hand by a draw that is refused. */
  function drawn({ turns }, { turn }, hand) {
    const { refused, player } = turns[turn - 1] ?? {};
    return refused && player === hand ? refused.cards : [];
  }

  /** How many places each pile takes at most, by its name. */
  function places(seen) {
    const found = {};
    const keep = (name, count) => (found[name] = Math.max(found[name] ?? 1, count));
    for (const sight of Object.values(seen)) {
      for (const step of sight.steps) {
        for (const name of ["reserve", "gone"]) keep(name, Table.places(step[name] ?? []));
        (step.hands ?? []).forEach((hand, i) => {
          keep(`hand-${i}`, Table.places(hand, drawn(sight, step, i), step.front === i));
        });
      }
    }
    return found;
  }

  /** What is told of each turn, as elements that lie on each other: together they are as high as the highest. */
  function captions({ seen, view, verdicts, opening, cause }) {
    const sights = Object.values(seen);
    return seen[view].steps.flatMap(({ turn, place }, at) => {
      const told = new Map(sights.map(({ turns }) => {
        const { words, refused } = turns[turn - 1] ?? {};
        return [words ?? opening, refused?.words];
      }));
      const why = cause?.turn === turn ? cause.words : "";
      const remark = seen[view].turns[turn - 1]?.remark ?? "";
      return [...told].map(([words, refused]) => {
        const lines = Object.entries({
          where: [place], words: marked(words, refused), small: [verdicts[at]], cause: [why], remark: [remark],
        });
        const spans = lines.map(([name, parts]) => element("span", { class: name }, ...parts));
        return element("div", { class: "caption" }, ...spans);
      });
    });
  }

  return { drawn, places, captions };
})();
