/* Who may watch: an address of its own for each view, to be copied, scanned, and withdrawn. */
import { button, copied, element, say, stored } from "/static/shared.js";
import { ask, at, file, pressed, put, submitted } from "./net.js";

const BEFORE = "couperation-shares";

const remember = ({ of, shares }) => stored(`${BEFORE} ${of}`, JSON.stringify(shares));

export class Share {
  /** `board` has the `game` that is shown. */
  constructor(board) {
    this.board = board;
    pressed("share", () => this.open());
    pressed("share-close", () => at("sharing").close());
    at("sharing").addEventListener("keydown", (event) => event.stopPropagation());
    at("share-at").addEventListener("change", () => this.draw());
    submitted("share-with", () =>
      this.post({ op: "open", file: file(), game: this.board.game.game, player: at("share-as").value || null }));
    pressed("share-end", async () => {
      await this.post({ op: "all" });
      at("share-said").textContent ||= say("liveboard_share_ended");
    });
  }

  /** Share again what was shared before the board was stopped: who watched then goes on. */
  async resume() {
    let { ok, said } = await ask("/api/share");
    const shares = ok ? JSON.parse(stored(`${BEFORE} ${said.of}`)) : null;
    if (shares?.length) ({ ok, said } = await ask("/api/share", { op: "again", of: said.of, shares }));
    if (ok) remember(said);
  }

  open() {
    const { game } = this.board;
    const players = game?.players ?? [];
    at("share-with").hidden = game?.kind !== "game";
    at("share-as").replaceChildren(new Option(say("liveboard_share_all"), ""), ...players.map((name) =>
      new Option(say("liveboard_share_player", { player: name }), name)));
    at("sharing").showModal();
    this.post();
  }

  /** Show what is shared, once it is told; of several answers that which was asked for last. */
  async post(body) {
    at("share-said").textContent = "";
    const asked = this.asked = ask("/api/share", body);
    const { ok, said } = await asked;
    if (this.asked !== asked) return;
    if (!ok || said.said) at("share-said").textContent = said?.said ?? say("liveboard_gone_away");
    if (!ok) return;
    this.shared = said;
    remember(said);
    at("share-record").hidden = !said.record;
    put("hidden", { "share-local": !said.local, "share-plain": said.local, "share-by": said.addresses.length < 2 });
    const by = Math.max(at("share-at").selectedIndex, 0);
    at("share-at").replaceChildren(...said.addresses.map((each, i) => new Option(each, i, false, i === by)));
    this.draw();
  }

  draw() {
    const { shares, addresses, opened } = this.shared;
    const by = Math.max(at("share-at").selectedIndex, 0);
    const open = opened ?? shares.at(-1)?.number;
    if (this.shared.record) at("share-code").src = `/api/share.svg?at=${by}`;
    at("shares").replaceChildren(...shares.map((share) => this.row(share, addresses[by], by, share.number === open)));
  }

  row({ number, player, file: of, game, path }, address, by, unfolded) {
    const who = player === null ? say("liveboard_share_all") : say("liveboard_share_player", { player });
    const one = game === null ? of : say("liveboard_share_game", { file: of, game });
    const what = of === null ? say("liveboard_share_last") : one;
    const field = element("input", { readonly: "", "aria-label": say("liveboard_share_address", { who }) });
    field.value = `http://${address}${path}`;
    const copy = button(say("liveboard_share_copy"), {}, async () => {
      field.select();
      const done = document.execCommand("copy") || await copied(field.value);
      at("share-said").textContent = done ? say("liveboard_share_copied") : "";
    });
    const label = say("liveboard_share_withdraws", { who });
    const withdraw = button(say("liveboard_share_withdraw"), { class: "quiet", "aria-label": label },
      () => this.post({ op: "close", share: number }));
    const alt = say("liveboard_share_code", { who });
    const code = this.shared.local ? ""
      : element("img", { src: `/api/share.svg?share=${number}&at=${by}`, alt, width: 180, height: 180 });
    const parts = element("details", {}, element("summary", {}, `${who} · ${what}`), field,
      element("div", { class: "tools" }, copy, withdraw), code);
    parts.open = unfolded;
    return element("li", { "data-share": player ?? "" }, parts);
  }
}
