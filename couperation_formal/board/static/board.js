"use strict";
// A plain page: the game is typed as CGN. It knows no rule: whatever it shows, the board said.
const at = id => document.getElementById(id);
const words = JSON.parse(at("words").textContent);
const say = (kind, places = {}) => words[kind].replace(/\{(\w+)\}/g, (_, name) => places[name] ?? "");
const VERDICTS = {
  legal: "live_board_legal", illegal: "live_board_illegal", undetermined: "live_board_undetermined",
};
let seen = null;

const named = () => document.body.dataset.file || at("file").value || null;

async function ask(path, body) {
  const settings = body === undefined ? {} :
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ file: named(), ...body }) };
  const answer = await fetch(path, settings);
  const said = await answer.json();
  return { ok: answer.ok, said };
}

async function load() {
  const file = named();
  if (file === null) return;
  const { ok, said } = await ask(`/api/game?file=${encodeURIComponent(file)}`);
  if (ok) show(said); else at("said").textContent = said.said;
}

function show(game) {
  seen = game;
  at("said").textContent = [...game.told, ...(game.said ?? [])].join(" ");
  at("outside").hidden = !game.outside;
  at("outside").firstElementChild.textContent = say("live_board_outside");
  at("start").hidden = game.games.length > 0;
  at("game").hidden = game.kind !== "game";
  if (game.kind !== "game") return;
  const place = new URLSearchParams({ file: game.file, game: game.game, revision: game.revision });
  at("tower").src = `/api/tower.svg?${place}`;
  at("due").textContent = game.table.result === null
    ? say("live_board_turn", { player: game.table.to_move }) : say("live_board_over", { result: game.table.result });
  at("undo").disabled = game.undo === null;
  at("redo").disabled = game.redo === null;
  at("back").disabled = game.turns.length === 0;
  at("text").textContent = game.text;
  at("turns").replaceChildren(...game.turns.map(turn => {
    const line = document.createElement("li"), wrong = game.wrong.filter(each => each.turn === turn.place);
    line.textContent = [turn.text, ...wrong.map(each => `${each.clause}: ${each.message}`)].join(" — ");
    line.classList.toggle("wrong", wrong.some(each => !each.warning));
    return line;
  }));
}

let asked = 0;
async function judge() {
  const line = at("line").value, mine = ++asked;
  at("keep").hidden = true;
  at("verdict").textContent = "";
  if (!line.trim()) return;
  const { said } = await ask("/api/draft", { game: seen.game, line });
  if (mine !== asked) return;
  at("completions").replaceChildren(...(said.completed ?? []).map(text => new Option(text)));
  at("verdict").textContent = said.said ?? told(said.judged);
}

function told(judged) {
  const books = Object.entries(judged.books).filter(([, verdict]) => verdict === "legal").map(([name]) => name);
  return [say(VERDICTS[judged.verdict]), ...judged.found.map(each => `${each.clause}: ${each.message}`),
    ...(books.length ? [say("live_board_books", { books: books.join(", ") })] : [])].join(". ");
}

async function edit(what) {
  const typed = at("line").value;
  const { ok, said } = await ask("/api/edit", { revision: seen.revision, game: seen.game, ...what });
  if (ok) {
    show(said);
    // whoever types the next turn already keeps it
    if (at("line").value !== typed) return;
    at("line").value = "";
    await judge();
    return;
  }
  if (said.game) show(said.game);
  at("keep").hidden = !said.draft;
  at("verdict").textContent = said.draft ? told(said.draft.judged) : said.said;
}

at("line").addEventListener("input", judge);
at("next").addEventListener("submit", event => { event.preventDefault(); edit({ op: "turn", line: at("line").value }); });
at("keep").addEventListener("click", () => edit({ op: "turn", line: at("line").value, disputed: true }));
for (const op of ["back", "undo", "redo"]) at(op).addEventListener("click", () => edit({ op }));
at("theirs").addEventListener("click", async () => { const { said } = await ask("/api/theirs", {}); show(said); });
at("start").addEventListener("submit", event => {
  event.preventDefault();
  edit({ op: "start", game: null, players: at("players").value.split(/\s+/).filter(Boolean), rules: at("rules").value });
});
at("file").addEventListener("change", load);

(async () => {
  if (!document.body.dataset.file) {
    const { said } = await ask("/api/files");
    at("files").hidden = false;
    at("file").replaceChildren(...said.files.map(name => new Option(name)));
  }
  await load();
  new EventSource("/api/events").addEventListener("changed", event => {
    const told = JSON.parse(event.data);
    if (seen === null || told.file !== seen.file || told.revision !== seen.revision) load();
  });
})();
