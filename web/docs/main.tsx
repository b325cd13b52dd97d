import { render } from "preact";
import { ThemeButton } from "../ui/theme.tsx";
import "../ui/base.css";
import "./docs.css";
import "./code.css";
import "./reference.css";
import { addCopyButtons, showThisService } from "./code.tsx";
import { startMenu } from "./menu.ts";
import { SearchButton } from "./search-button.tsx";
import { startTabs } from "./tabs.ts";

showThisService();
startTabs();
addCopyButtons();
startMenu();
render(<ThemeButton />, document.getElementById("theme")!);
render(<SearchButton />, document.getElementById("search")!);
const form = document.querySelector<HTMLFormElement>("form.try");
if (form) void import("./try/try.ts").then(({ startTry }) => startTry(form));
