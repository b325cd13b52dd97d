/** The theme that somebody chose; `system` follows the device. */
export type Theme = "system" | "light" | "dark";

const KEY = "tranche-theme";

export function storedTheme(): Theme {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}

export function storeTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Applies the theme that was chosen before. Call it before anything is drawn. */
export function applyStoredTheme(): void {
  applyTheme(storedTheme());
}
