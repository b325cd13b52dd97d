const KEY = "tranche-docs-language";
const NAMES: Record<string, string> = { sh: "curl", ts: "TypeScript", python: "Python" };

/** Shows one language of each group of code boxes; the choice holds for all groups and for the next visit. */
export function startTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>(".tabs")];
  const choose = (language: string) => {
    for (const group of groups) show(group, language);
  };
  for (const [n, group] of groups.entries()) addButtons(group, n, choose);
  choose(localStorage.getItem(KEY) ?? "sh");
}

const boxesOf = (group: Element) => [...group.querySelectorAll<HTMLElement>(":scope > .code")];

function addButtons(group: HTMLElement, n: number, choose: (language: string) => void): void {
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Language");
  for (const box of boxesOf(group)) {
    const language = box.dataset["language"]!;
    const tab = document.createElement("button");
    Object.assign(tab, { type: "button", id: `tab-${n}-${language}`, textContent: NAMES[language] ?? language });
    tab.setAttribute("role", "tab");
    tab.dataset["language"] = language;
    box.id = `code-${n}-${language}`;
    box.setAttribute("role", "tabpanel");
    box.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", box.id);
    tab.addEventListener("click", () => {
      localStorage.setItem(KEY, language);
      choose(language);
    });
    list.append(tab);
  }
  list.addEventListener("keydown", (event) => moveBetween(list, event));
  group.prepend(list);
}

/** Shows the box of a language, or the first one when the group does not have it. */
function show(group: HTMLElement, wanted: string): void {
  const boxes = boxesOf(group);
  const shown = boxes.find((box) => box.dataset["language"] === wanted) ?? boxes[0];
  for (const box of boxes) box.hidden = box !== shown;
  for (const tab of group.querySelectorAll<HTMLElement>('[role="tab"]')) {
    const isShown = tab.dataset["language"] === shown?.dataset["language"];
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
  }
}

/** Left and right go to the tab beside and open it. */
function moveBetween(list: HTMLElement, event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const tabs = [...list.querySelectorAll<HTMLButtonElement>('[role="tab"]')];
  const next = tabs[(tabs.indexOf(document.activeElement as HTMLButtonElement) + step + tabs.length) % tabs.length];
  next?.click();
  next?.focus();
}
