/* The index of several games: which games it shows, and how one is chosen. */
const index = document.querySelector("[data-index]");

/** Let the rows be filtered. */
function filter() {
  const [words, told] = ["words", "told"].map((part) => index.querySelector(`[data-filter-${part}]`));
  const found = new Filter(words, index.querySelectorAll("[data-filter] [data-verdict]"), () => {
    const shown = found.rows.filter(({ row }) => !row.hidden).length;
    told.textContent = say("live_filtered", { shown, total: found.rows.length });
  });
  found.rows = [...index.querySelectorAll("li")].map((row) => Filter.row(row, row.dataset.verdict));
  index.querySelector("[data-filter]").hidden = false;
  found.show();
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
  filter();
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
