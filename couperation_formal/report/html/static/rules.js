/* Difference constraints and interval counting over data.
 *
 * Nothing here knows a rule of the game: which cell must stay below which, by how much, what a down card may stand for,
 * which cells a pyramid has and which values are left all come with the page. `board` is shared by all games; a
 * `reading` is how the rulings read the orders, a `question` which cards are left. Cells are numbers into board.cells.
 */
const Rules = (() => {
  const closures = new WeakMap();

  /** The orders of the card on `cell` that fail between two up cards. */
  function brokenOrders(board, reading, numbers, cell) {
    const found = [];
    for (const [lower, upper, clause] of board.orders) {
      if (lower !== cell && upper !== cell) continue;
      const low = numbers.get(lower);
      const high = numbers.get(upper);
      if (low !== undefined && high !== undefined && low + reading.gaps[clause] > high) {
        found.push({ clause: board.clauses[clause], gap: reading.gaps[clause], lower, upper, low, high });
      }
    }
    return found;
  }

  /** A run of orders through down cards that leaves no room, or null: longest paths over the constraints. */
  function failingChain(board, reading, numbers, down) {
    if (reading.down === null || down.length === 0) return null;
    const [floor, ceiling] = reading.down;
    const unknown = new Set(down);
    const edges = board.orders.filter(([lower, upper]) => unknown.has(lower) || unknown.has(upper));
    const least = new Map();
    const source = new Map();
    if (floor !== null) down.forEach((cell) => least.set(cell, floor));
    for (let changed = true; changed; ) {
      changed = false;
      for (const [lower, upper, clause] of edges) {
        const low = numbers.get(lower) ?? least.get(lower);
        if (!unknown.has(upper) || low === undefined) continue;
        const value = low + reading.gaps[clause];
        if (value > (least.get(upper) ?? -Infinity)) {
          least.set(upper, value);
          source.set(upper, lower);
          changed = true;
        }
      }
    }
    const run = (cell) => (source.has(cell) ? [...run(source.get(cell)), cell] : [cell]);
    for (const [cell, value] of least) {
      if (ceiling !== null && value > ceiling) return { cells: run(cell), least: value, limit: ceiling };
    }
    for (const [lower, upper, clause] of edges) {
      const high = numbers.get(upper);
      if (!least.has(lower) || high === undefined) continue;
      const needed = least.get(lower) + reading.gaps[clause];
      if (needed > high) return { cells: [...run(lower), upper], least: needed, limit: high };
    }
    return null;
  }

  /** What the orders refuse of the card on `cell`: orders of up cards, else a run through down cards, else null. */
  function judge(board, reading, numbers, down, cell) {
    const broken = brokenOrders(board, reading, numbers, cell);
    if (broken.length > 0) return { kind: "orders", broken };
    const chain = failingChain(board, reading, numbers, down);
    return chain === null ? null : { kind: "chain", chain };
  }

  /** For each cell of a pyramid, by its place in the linear extension, whether each other is forced below it. */
  function below(board, pyramid) {
    if (closures.has(pyramid)) return closures.get(pyramid);
    const place = new Map(pyramid.cells.map((cell, i) => [cell, i]));
    const found = pyramid.cells.map(() => pyramid.cells.map(() => false));
    const edges = board.orders
      .filter(([lower, upper]) => place.has(lower) && place.has(upper))
      .map(([lower, upper]) => [place.get(lower), place.get(upper)])
      .sort((a, b) => a[1] - b[1]);
    for (const [lower, upper] of edges) {
      found[upper][lower] = true;
      found[lower].forEach((under, other) => {
        if (under) found[upper][other] = true;
      });
    }
    closures.set(pyramid, found);
    return found;
  }

  /** Why a tower cannot be completed in the pyramid from column `place`, or null where it can. */
  function refusal(board, question, numbers, finish, place) {
    const pyramid = board.pyramids[place];
    const { cells } = pyramid;
    const apex = question.finish ? cells.indexOf(pyramid.apex) : -1;
    const ends = question.ends;
    if (question.finish_gone) return { kind: "finish", why: "gone" };
    const stray = finish === null ? -1 : cells.indexOf(finish);
    if (stray >= 0 && stray !== apex) return { kind: "finish", why: "below", cell: finish };
    const fixed = cells.map((cell) => numbers.get(cell) ?? 0);
    const bounded = (i) => i === apex && ends !== null;
    const lowEnd = (i) => (bounded(i) ? ends[1] : fixed[i]);
    const highEnd = (i) => (bounded(i) ? ends[0] : fixed[i]);
    const held = cells.map((_, i) => i).filter((i) => fixed[i] > 0 || bounded(i));
    const under = below(board, pyramid);
    for (const lower of held) {
      const upper = held.find((i) => under[i][lower] && lowEnd(lower) >= highEnd(i));
      if (upper !== undefined) return { kind: "order", cells: [cells[lower], cells[upper]] };
    }
    const free = cells.map((_, i) => i).filter((i) => fixed[i] === 0 && i !== apex);
    const jobs = free.map((i) => ({
      cell: cells[i],
      low: Math.max(0, ...held.filter((j) => under[i][j]).map(lowEnd)),
      high: Math.min(board.top + 1, ...held.filter((j) => under[j][i]).map(highEnd)),
    }));
    return fullest(jobs, question.values) ?? starved(jobs, question);
  }

  /** The interval that more cells need than values are left in it: the fewest cells, the narrowest, the lowest. */
  function fullest(jobs, values) {
    const ends = [...new Set(jobs.map((job) => job.high))];
    let best = null;
    for (const above of new Set(jobs.map((job) => job.low))) {
      const from = jobs.filter((job) => job.low >= above);
      const rest = values.filter((value) => value > above);
      for (const end of ends) {
        const inside = from.filter((job) => job.high <= end);
        const left = rest.filter((value) => value < end);
        if (inside.length <= left.length) continue;
        const found = { kind: "interval", above, below: end, cells: inside.map((job) => job.cell), left };
        if (best === null || smaller(found, best)) best = found;
      }
    }
    return best;
  }

  function smaller(a, b) {
    const key = (each) => [each.cells.length, each.below - each.above, each.above, each.below];
    const [one, other] = [key(a), key(b)];
    const at = one.findIndex((number, i) => number !== other[i]);
    return at >= 0 && one[at] < other[at];
  }

  /** Whether unseen gone cards leave too few of the cards out of sight. */
  function starved(jobs, question) {
    if (question.hidden === 0) return null;
    const spare = question.values.length - question.located.length - question.hidden;
    const missing = jobs.length - placed(jobs, question.located) - spare;
    return missing > 0 ? { kind: "gone", missing } : null;
  }

  /** How many jobs these rising values can serve: earliest deadline first. */
  function placed(jobs, values) {
    const waiting = new Set(jobs);
    let count = 0;
    for (const value of values) {
      const ready = [...waiting].filter((job) => job.low < value && job.high > value);
      if (ready.length === 0) continue;
      waiting.delete(ready.reduce((a, b) => (b.high < a.high ? b : a)));
      count += 1;
    }
    return count;
  }

  /** Whether a tower can be completed: null, or a refusal for each place that it allows. */
  function refusals(board, question, numbers, finish) {
    const found = [];
    for (const place of question.places) {
      const reason = refusal(board, question, numbers, finish, place);
      if (reason === null) return null;
      found.push({ place, reason });
    }
    return found;
  }

  /** The pyramids, of those that the tower allows, that hold `cell`. */
  function placesWith(board, question, cell) {
    return question.places.filter((place) => board.pyramids[place].cells.includes(cell));
  }

  /** The question once `value` lies up: it is no longer left. */
  function without(board, question, value, cell) {
    const rest = (values) => values.filter((other) => other !== value);
    return {
      ...question,
      places: placesWith(board, question, cell),
      values: rest(question.values),
      located: rest(question.located),
    };
  }

  return { judge, refusals, without };
})();
