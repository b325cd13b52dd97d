import { useEffect, useState } from "preact/hooks";
import { applyTheme, storedTheme, storeTheme, type Theme } from "./theme-choice.ts";

export { applyStoredTheme } from "./theme-choice.ts";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

/** Switches between the system's theme, light and dark. */
export function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    applyTheme(theme);
    storeTheme(theme);
  }, [theme]);
  return (
    <button type="button" class="button" onClick={() => setTheme(NEXT[theme])}>
      Theme: {theme}
    </button>
  );
}
