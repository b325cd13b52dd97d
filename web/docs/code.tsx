import { render } from "preact";
import { CopyButton } from "../ui/copy-button.tsx";
import { coloured } from "./coloured.ts";
import { onKeyChange, withKey } from "./key/key.ts";

const EXAMPLE_SERVICE = "http://127.0.0.1:3000";

/** Replaces the example's host in code blocks with the host of this page. */
export function showThisService(): void {
  if (location.origin === EXAMPLE_SERVICE) return;
  for (const code of document.querySelectorAll("code")) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.nodeValue?.includes(EXAMPLE_SERVICE)) {
        text.nodeValue = text.nodeValue.replaceAll(EXAMPLE_SERVICE, location.origin);
      }
    }
  }
}

/** Puts the reader's key into the examples of guides, now and when it changes. */
export function showOwnKey(): void {
  for (const box of document.querySelectorAll(
    ".prose > .code, .prose > .tabs > .code, .prose :is(li, section) > .code",
  )) {
    const code = box.querySelector("code")!;
    const built = [...code.childNodes];
    const text = code.textContent;
    const show = () => {
      const own = withKey(text);
      code.replaceChildren(...(own === text ? built : coloured(own)));
      drawCopyButton(box);
    };
    show();
    onKeyChange(show);
  }
}

/** Gives each box of code a button that copies it as it is now. */
export function addCopyButtons(): void {
  for (const box of document.querySelectorAll<HTMLElement>(".code")) {
    const place = document.createElement("div");
    place.className = "copy";
    box.append(place);
    drawCopyButton(box);
  }
}

/** Call it again when the code of a box has changed. */
export function drawCopyButton(box: Element): void {
  const place = box.querySelector(".copy");
  if (place) render(<CopyButton text={box.querySelector("code")?.textContent ?? ""} what="the code" />, place);
}
