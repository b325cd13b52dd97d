import { snippetsOf } from "../../ui/snippets.ts";
import { drawCopyButton } from "../code.tsx";
import { coloured } from "../coloured.ts";
import { onKeyChange, readKey, setKey, withKey } from "../key/key.ts";
import { takeClicked } from "../run-links.ts";
import { send } from "./send.ts";

/**
 * Makes the form of an operation work: code follows the fields, and the request is sent with the key. The address of the page may have
 * the parameters; a request that was clicked in a guide is sent at once.
 */
export function startTry(form: HTMLFormElement): void {
  const key = form.querySelector<HTMLInputElement>("#api-key")!;
  const button = form.querySelector<HTMLButtonElement>('[type="submit"]')!;
  form.addEventListener("input", (event) => {
    if (event.target === key) setKey(key.value.trim());
    else showCode(form);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const status = form.querySelector("#status")!;
    if (key.value.trim() === "") {
      status.textContent = "needs a key: enter yours above";
      key.focus();
      return;
    }
    button.disabled = true;
    status.textContent = "sending …";
    void send(urlOf(form), key.value.trim())
      .then(({ summary, body }) => showAnswer(form, summary, body))
      .finally(() => (button.disabled = false));
  });
  if (location.search !== "") fill(form, new URLSearchParams(location.search));
  // A key may have been pasted before this script came.
  if (key.value === "") key.value = readKey();
  else setKey(key.value.trim());
  showCode(form);
  onKeyChange(() => {
    if (document.activeElement !== key) key.value = readKey();
    showCode(form);
  });
  button.disabled = false;
  if (takeClicked()) form.requestSubmit();
}

/** Puts parameters into the fields; those that are not given become empty. */
function fill(form: HTMLFormElement, parameters: URLSearchParams): void {
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]")) {
    field.value = parameters.get(field.name) ?? "";
  }
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
    box.querySelector("code")!.replaceChildren(...coloured(withKey(code)));
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
