import { render } from "preact";
import { applyStoredTheme } from "../ui/theme.tsx";
import "../ui/base.css";
import "./operators.css";
import { App } from "./app.tsx";

applyStoredTheme();
const page = document.getElementById("page")!;
page.replaceChildren();
render(<App />, page);
