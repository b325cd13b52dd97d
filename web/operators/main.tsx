import { render } from "preact";
import { applyStoredTheme } from "../ui/theme.tsx";
import "../ui/base.css";

applyStoredTheme();
render(
  <main>
    <h1>Operators</h1>
  </main>,
  document.getElementById("page")!,
);
