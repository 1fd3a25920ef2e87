/* What stands beside or below the tower: one panel at a time, chosen by its tab. */

/** Scroll a row into its own list's view, never the page, with so much room at the edge. */
function reveal(row, list, room = 0) {
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  const tall = inner.height > outer.height;
  if (inner.top < outer.top || tall) list.scrollTop -= outer.top - inner.top + room;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + room;
}

/** What a tab opens is scrolled into view where fewer pixels of it are. */
const LEAST = 200;

class Panels {
  /** `turned` is called after another panel was opened. */
  constructor(article, turned) {
    this.tabs = [...article.querySelectorAll("[data-tab]")];
    this.panels = [...article.querySelectorAll("[data-panel]")];
    this.turned = turned;
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.show(tab.dataset.tab));
      tab.addEventListener("keydown", (event) => this.key(event));
    }
    this.mark(this.tabs[0].dataset.tab);
  }

  open(name) {
    if (name === this.name) return;
    this.mark(name);
    this.turned();
  }

  /** Open one where it is seen. */
  show(name) {
    this.open(name);
    const { top, bottom } = this.panels.find((panel) => !panel.hidden).getBoundingClientRect();
    const hidden = bottom > innerHeight && innerHeight - top < LEAST;
    if (hidden) this.tabs[0].scrollIntoView({ block: "start", behavior: "instant" });
  }

  mark(name) {
    this.name = name;
    for (const tab of this.tabs) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.setAttribute("tabindex", chosen ? 0 : -1);
    }
    for (const panel of this.panels) panel.hidden = panel.dataset.panel !== name;
  }

  key(event) {
    const at = this.tabs.indexOf(event.target);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const tab = this.tabs[(next + this.tabs.length) % this.tabs.length];
    tab.focus();
    this.open(tab.dataset.tab);
  }
}
