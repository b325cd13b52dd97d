import { useEffect, useState } from "preact/hooks";

type Theme = "system" | "light" | "dark";
const KEY = "tranche-theme";
const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

const stored = (): Theme => {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
};

/** Applies the theme that was chosen before. Call it before anything is drawn. */
export function applyStoredTheme(): void {
  apply(stored());
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Switches between the system's theme, light and dark. */
export function ThemeButton() {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    apply(theme);
    localStorage.setItem(KEY, theme);
  }, [theme]);
  return (
    <button type="button" class="button" onClick={() => setTheme(NEXT[theme])}>
      Theme: {theme}
    </button>
  );
}
