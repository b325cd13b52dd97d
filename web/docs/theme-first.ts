import { applyStoredTheme } from "../ui/theme-choice.ts";

// Runs before the page is drawn, so that it is never drawn in the other theme.
applyStoredTheme();
document.documentElement.dataset["script"] = "on";
