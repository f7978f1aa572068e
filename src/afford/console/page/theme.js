// Dark or light: what the system says, unless the person chose.

const KEY = "afford-console-theme";
const THEMES = ["system", "dark", "light"];

export function chosenTheme() {
  const kept = localStorage.getItem(KEY);
  return THEMES.includes(kept) ? kept : "system";
}

export function nextTheme() {
  const next = THEMES[(THEMES.indexOf(chosenTheme()) + 1) % THEMES.length];
  localStorage.setItem(KEY, next);
  apply();
  return next;
}

function apply() {
  const theme = chosenTheme();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

apply();
