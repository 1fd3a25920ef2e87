/* A key for each frequent act: the `data-key` of its button, or of the field that it leads to; `?` shows them all. */
const WRITTEN = "select, textarea, input:not([type=range], [type=radio], [type=checkbox])";
const keyed = () => [...document.querySelectorAll("[data-key]")].filter((each) => each.getClientRects().length);

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(WRITTEN)) return;
  if (document.querySelector("dialog[open]")) return;
  const found = keyed().find((each) => each.dataset.key === event.key);
  if (!found && event.key !== "?") return;
  event.preventDefault();
  if (!found) showKeys();
  else if (found.matches("input")) found.focus();
  else found.click();
});

function showKeys() {
  const acts = keyed().map((each) =>
    [each.dataset.key, each.ariaLabel ?? each.labels?.[0]?.textContent ?? each.textContent.trim()]);
  const steps = [["← → k j", say("live_keys_step")], ["Home End", say("live_keys_ends")]];
  const rows = [...steps, ...acts, ["?", say("live_keys")]];
  const dialog = element("dialog", { class: "keys", "aria-label": say("live_keys") }, element("dl", {},
    ...rows.flatMap(([key, told]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, told)])));
  dialog.append(button(say("live_close"), {}, () => dialog.close()));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
