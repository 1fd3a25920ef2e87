/* Drawing: one glass is a few uses of the shapes that the page holds. */
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

  /** The parts of a glass: `kind` up, down, fill, open or place; `flag` laid, conflict or refused. */
  function parts({ kind, text, mark, flag }) {
    const found = [use(kind)];
    if (flag === "laid") found.push(use(kind === "down" ? "laid-down" : "laid"));
    if (mark) found.push(use(`mark-${mark}`));
    else if (kind === "up" && text === "F") found.push(use("star"));
    if (kind === "down") found.push(words(" cf-small cf-halo", 66, text), words(" cf-small", 66, text));
    else if (kind === "fill") found.push(words(" cf-guess", 23, `(${text})`));
    else if (text) found.push(words("", 26, text));
    if (flag === "conflict" || flag === "refused") found.push(use(flag));
    return found;
  }

  /** Redraw a tower: `glasses` by cell; a slot without one is left empty. Noted ones are drawn over the others. */
  function draw(slots, glasses, names) {
    const noted = ([cell]) => Number(Boolean(glasses.get(cell)?.flag));
    for (const [cell, slot] of [...slots].sort((a, b) => noted(a) - noted(b))) {
      slot.parentNode.append(slot);
      const glass = glasses.get(cell);
      slot.replaceChildren(...(glass ? parts(glass) : []));
      const y = glass?.kind === "down" ? 27 : 58;
      if (glass && names) slot.append(node("text", { class: "cf-name", x: -21, y }, cell));
    }
  }

  return { draw };
})();
