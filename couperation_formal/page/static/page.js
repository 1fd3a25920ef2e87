/* The page of recorded games: which one is shown, links to a turn, and keys. */
const games = [...document.querySelectorAll("article[data-game]")].map((article) => new Game(article));
let current = games[0];

const place = ({ number, step }) => (games.length > 1 ? `game=${number}&turn=${step.turn}` : `turn=${step.turn}`);

function link(game) {
  try {
    history.replaceState(null, "", `#${place(game)}`);
  } catch {
    /* a page without an address keeps none */
  }
}

function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const named = games.find((each) => each.number === Number(wanted.get("game")));
  const game = named ?? (wanted.has("game") ? games[0] : current);
  choose(game);
  if (!game.data) return;
  if (!wanted.has("turn")) return game.show();
  const step = game.sight.steps.findIndex((each) => String(each.turn) === wanted.get("turn"));
  game.go(step < 0 ? game.last : step, false, true);
}

function choose(game) {
  current = game;
  for (const each of games) {
    each.article.hidden = each !== game;
    if (each !== game) each.play(false);
  }
  for (const entry of document.querySelectorAll("[data-open]")) {
    if (Number(entry.dataset.open) === game.number) entry.setAttribute("aria-current", "true");
    else entry.removeAttribute("aria-current");
  }
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.(WRITTEN)) return;
  const where = Steps.led(event);
  const letter = event.key.length === 1;
  if (!where || !current || (!letter && event.target.closest?.("input"))) return;
  event.preventDefault();
  current.jump(where);
});

if (current) addEventListener("hashchange", follow);
document.documentElement.classList.add("live");
if (current) follow();
window.couperation = { games, judged };
