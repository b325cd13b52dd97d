import { render } from "preact";
import { ThemeButton } from "../ui/theme.tsx";
import { addCopyButtons, showOwnKey, showThisService } from "./code.tsx";
import { takeKeyFromAddress } from "./key/key.ts";
import { KeyButton } from "./key/key-button.tsx";
import { startRunLinks } from "./run-links.ts";
import { FindButton } from "../ui/find-button.tsx";
import { startTabs } from "./tabs.ts";
import "../ui/base.css";
import "./docs.css";
import "./code.css";
import "./reference.css";

takeKeyFromAddress();
showThisService();
startTabs();
addCopyButtons();
showOwnKey();
startMenu();
startRunLinks();
render(<ThemeButton />, document.getElementById("theme")!);
render(<KeyButton />, document.getElementById("key")!);
render(<FindButton load={() => import("./search/search-dialog.tsx")} />, document.getElementById("search")!);
const form = document.querySelector<HTMLFormElement>("form.try");
if (form) void import("./try/try.ts").then(({ startTry }) => startTry(form));

/** On a narrow screen the list of all pages opens by a button. */
function startMenu(): void {
  const button = document.querySelector<HTMLButtonElement>(".menu");
  const pages = document.getElementById("pages");
  if (!button || !pages) return;
  button.addEventListener("click", () => {
    const opens = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(opens));
    pages.classList.toggle("open", opens);
  });
  const current = pages.querySelector<HTMLElement>("[aria-current]");
  if (current) pages.scrollTop = current.offsetTop - pages.clientHeight / 2;
}
