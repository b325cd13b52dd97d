import { snippetsOf } from "../../ui/snippets.ts";
import { drawCopyButton } from "../code.tsx";
import { coloured } from "./coloured.ts";
import { send } from "./send.ts";

const KEY = "tranche-docs-key";

/** Makes the form of an operation work: code follows the fields, and the request is sent with the key. */
export function startTry(form: HTMLFormElement): void {
  const key = form.querySelector<HTMLInputElement>("#key")!;
  const button = form.querySelector<HTMLButtonElement>('[type="submit"]')!;
  key.value = sessionStorage.getItem(KEY) ?? "";
  form.addEventListener("input", (event) => {
    if (event.target === key) sessionStorage.setItem(KEY, key.value.trim());
    else showCode(form);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    void send(urlOf(form), key.value.trim())
      .then(({ summary, body }) => showAnswer(form, summary, body))
      .finally(() => (button.disabled = false));
  });
}

/** The request that the fields describe. Empty fields are not sent. */
function urlOf(form: HTMLFormElement): string {
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]")];
  let path = form.dataset["path"]!;
  const query: string[] = [];
  for (const { name, value } of fields) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.push(`${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  }
  return location.origin + path + (query.length === 0 ? "" : `?${query.join("&")}`);
}

function showCode(form: HTMLFormElement): void {
  for (const { language, code } of snippetsOf(urlOf(form))) {
    const box = form.querySelector(`.code[data-language="${language}"]`)!;
    box.querySelector("code")!.replaceChildren(...coloured(code));
    drawCopyButton(box);
  }
}

function showAnswer(form: HTMLFormElement, summary: string, body: string): void {
  form.querySelector("#status")!.textContent = summary;
  form.querySelector(".pair")!.classList.add("roomy");
  const box = form.querySelector("#body .code")!;
  box.querySelector("code")!.replaceChildren(...coloured(body));
  drawCopyButton(box);
}
