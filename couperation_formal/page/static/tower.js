/* The tower: one glass is a few uses of the shapes that the page holds. A cell is chosen by click, tap or key. */
const Drawing = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  function node(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const use = (shape) => node("use", { href: `#cf-${shape}` });
  const words = (style, y, text) => node("text", { class: `cf-text${style}`, y }, text);

  /** The parts of a glass: `kind` up, down, fill, open or place; `flag` laid, lost, conflict or refused; `ghost` is a
   * card that would have been better. */
  function parts({ kind, text, mark, flag, ghost }) {
    const found = [use(kind)];
    if (flag === "laid" || flag === "lost") found.push(use(kind === "down" ? "laid-down" : "laid"));
    if (mark) found.push(use(`mark-${mark}`));
    else if (kind === "up" && text === "F") found.push(use("star"));
    if (kind === "down") found.push(words(" cf-small cf-halo", 66, text), words(" cf-small", 66, text));
    else if (kind === "fill") found.push(words(" cf-guess", 23, `(${text})`));
    else if (text) found.push(words("", 26, text));
    if (flag === "lost") {
      found.push(node("circle", { class: "cf-disc", cx: 29, cy: 61, r: 10 }),
        node("text", { class: "cf-badge", x: 29, y: 66.3 }, "†"));
    }
    if (ghost) {
      found.push(node("rect", { class: "ghost", x: -38, y: -4, width: 76, height: 76, rx: 9 }),
        node("circle", { class: "ghost", cx: 25, cy: 57, r: 15 }),
        node("text", { class: "cf-text ghost", x: 25, y: 63 }, ghost));
    }
    if (flag === "conflict" || flag === "refused") found.push(use(flag));
    return found;
  }

  /** What stands in each slot: what is the same is neither made nor laid out anew. */
  const drawn = new WeakMap();

  /**
   * Redraw a tower: `glasses` by cell; a slot without one is left empty. Noted ones are drawn over the others, which
   * their order tells, at the end of the tower. The slot that has the focus stays where it is, since one that is moved
   * loses it.
   */
  function draw(slots, glasses, names) {
    const noted = ([cell]) => Number(Boolean(glasses.get(cell)?.flag));
    for (const [at, [cell, slot]] of [...slots].sort((a, b) => noted(a) - noted(b)).entries()) {
      const { children } = slot.parentNode;
      const there = () => children[children.length - slots.size + at];
      if (slot === document.activeElement) while (there() !== slot) slot.parentNode.append(there());
      else if (there() !== slot) slot.parentNode.insertBefore(slot, there());
      const glass = glasses.get(cell);
      const shown = JSON.stringify([glass, names]);
      if (drawn.get(slot) === shown) continue;
      drawn.set(slot, shown);
      slot.replaceChildren(...(glass ? parts(glass) : []));
      const y = glass?.kind === "down" ? 27 : 58;
      if (glass && names) slot.append(node("text", { class: "cf-name", x: -21, y }, cell));
    }
  }

  /** What of a glass is hit: all of its place, also where nothing is drawn. Its places cover the tower without a
   * gap. */
  const place = () => node("rect", { class: "hit", x: -40, y: -4, width: 80, height: 76 });

  /** The cell next to one, by an arrow key; up and down go to the left of two first. */
  function beside(cell, key, cells) {
    const [column, level] = [cell.charCodeAt(0), Number(cell.slice(1))];
    const steps = {
      ArrowLeft: [[-1, 0]], ArrowRight: [[1, 0]], ArrowUp: [[0, 1], [-1, 1]], ArrowDown: [[0, -1], [1, -1]],
    }[key] ?? [];
    return steps.map(([x, y]) => `${String.fromCharCode(column + x)}${level + y}`).find((each) => cells.has(each));
  }

  /**
   * Let cells be chosen: `choose` is called with the cell that is clicked or tapped, or has the focus when Enter or the
   * space bar is pressed. Arrows go from cell to cell; one of them at a time is a stop of the tab key.
   *
   * Returns what has to be told after each drawing: the cells that can be chosen with what they are called, and the
   * chosen one.
   */
  function choosing(svg, slots, choose) {
    let labels = new Map();
    let stop = null;
    const slotOf = (event) => event.target.closest?.("[data-cell]");
    const stopAt = (cell) => {
      for (const [name, slot] of slots) if (labels.has(name)) slot.setAttribute("tabindex", name === cell ? 0 : -1);
      stop = cell;
    };
    svg.setAttribute("role", "group");
    svg.addEventListener("click", (event) => {
      const cell = slotOf(event)?.dataset.cell;
      if (!labels.has(cell)) return;
      stopAt(cell);
      choose(cell);
    });
    svg.addEventListener("keydown", (event) => {
      const cell = slotOf(event)?.dataset.cell;
      if (!cell || !bare(event)) return;
      const next = beside(cell, event.key, labels);
      if (next) {
        stopAt(next);
        slots.get(next).focus({ preventScroll: true });
      } else if (event.key === "Enter" || event.key === " ") choose(cell);
      else if (!event.key.startsWith("Arrow")) return;
      event.preventDefault();
      event.stopPropagation();
    });
    return (called, chosen) => {
      labels = called;
      for (const [name, slot] of slots) {
        const label = called.get(name);
        if (label === undefined) {
          for (const each of ["role", "tabindex", "aria-label", "aria-pressed"]) slot.removeAttribute(each);
          continue;
        }
        if (!slot.querySelector(".hit")) slot.prepend(place());
        slot.setAttribute("role", "button");
        slot.setAttribute("aria-label", label);
        slot.setAttribute("aria-pressed", String(name === chosen));
      }
      stopAt(called.has(stop) ? stop : [...called.keys()][0]);
    };
  }

  /** Call `turned` with -1 or 1 when a finger goes over an element from left to right, or from right to left. */
  function swiped(svg, turned) {
    let from = null;
    svg.addEventListener("pointerdown", (event) => {
      from = event.pointerType !== "mouse" && event.isPrimary ? [event.clientX, event.clientY] : null;
    });
    svg.addEventListener("pointercancel", () => (from = null));
    svg.addEventListener("pointerup", (event) => {
      if (!from || !event.isPrimary) return;
      const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
      from = null;
      if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) turned(x < 0 ? 1 : -1);
    });
  }

  /** The places of a tower by their cells. */
  const slots = (svg) => new Map([...svg.querySelectorAll("[data-cell]")].map((slot) => [slot.dataset.cell, slot]));

  /** What a cell with this glass is called. */
  function label(cell, { kind, text, mark, ghost }) {
    if (ghost) return say("live_saves", { cell, card: ghost });
    const taken = mark ? "live_cell_marked" : "live_cell_taken";
    return say(["up", "down"].includes(kind) ? taken : "live_cell_free", { cell, card: text, mark });
  }

  return { draw, choosing, swiped, slots, label };
})();
