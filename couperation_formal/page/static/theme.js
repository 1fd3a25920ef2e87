/* The theme: the reader's own, light or dark; the one that was chosen last is remembered. */
const THEME = "couperation-theme";
const themes = ["auto", "light", "dark"];
const names = { auto: say("live_auto"), light: say("live_light"), dark: say("live_dark") };
const themeButton = document.getElementById("theme");

function dress(theme) {
  const { dataset } = document.documentElement;
  if (theme === "auto") delete dataset.theme;
  else dataset.theme = theme;
  themeButton.querySelector("[data-theme-name]").textContent = names[theme];
}

themeButton.addEventListener("click", () => {
  const now = document.documentElement.dataset.theme ?? "auto";
  const theme = themes[(themes.indexOf(now) + 1) % themes.length];
  dress(theme);
  stored(THEME, theme);
});

/* The theme that the page came with, else the one that was chosen last, here or on another page from this place. */
const chosen = document.documentElement.dataset.theme ?? stored(THEME);
if (themes.includes(chosen)) dress(chosen);
