/* The index of several games: its filter, and how a game is chosen. */
const index = document.querySelector("[data-index]");

class Filter {
  constructor() {
    this.rows = [...index.querySelectorAll("li")].map((row) => ({ row, words: folded(row.textContent) }));
    this.words = index.querySelector("[data-filter-words]");
    this.verdict = "";
    this.words.addEventListener("input", () => this.show());
    for (const button of this.buttons()) button.addEventListener("click", () => this.choose(button));
    index.querySelector("[data-filter]").hidden = false;
    this.show();
  }

  buttons() {
    return index.querySelectorAll("[data-filter-verdict]");
  }

  choose(chosen) {
    this.verdict = chosen.dataset.filterVerdict;
    for (const button of this.buttons()) button.setAttribute("aria-pressed", String(button === chosen));
    this.show();
  }

  /** A row is shown where it has all the words, in any order, and the verdict. */
  show() {
    const wanted = folded(this.words.value).split(" ").filter(Boolean);
    let shown = 0;
    for (const { row, words } of this.rows) {
      row.hidden = Boolean(this.verdict) && row.dataset.verdict !== this.verdict;
      row.hidden ||= !wanted.every((word) => words.includes(word));
      if (!row.hidden) shown += 1;
    }
    const told = say("live_filtered", { shown, total: this.rows.length });
    index.querySelector("[data-filter-told]").textContent = told;
  }
}

function folded(text) {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

/** The game that the address names, in a folder of pages: its page opens in place of the index. */
function elsewhere() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const link = index.querySelector(`[data-open="${Number(wanted.get("game"))}"]`);
  if (link) location.replace(wanted.has("turn") ? `${link.href}#turn=${wanted.get("turn")}` : link.href);
}

/** Bring the chosen game into view, where another one was shown before. */
function bring(asked = false) {
  if (asked || current !== brought) {
    current.article.tabIndex = -1;
    current.article.focus({ preventScroll: true });
    current.article.scrollIntoView({ block: "start" });
  }
  brought = current;
}

let brought = current;
if (index) {
  new Filter();
  if (games.length === 0) {
    addEventListener("hashchange", elsewhere);
    elsewhere();
  } else {
    addEventListener("hashchange", () => bring());
    for (const link of index.querySelectorAll("[data-open]")) {
      link.addEventListener("click", () => {
        if (current.number === Number(link.dataset.open)) bring(true);
      });
    }
    if (new URLSearchParams(location.hash.slice(1)).has("game")) bring(true);
  }
}
