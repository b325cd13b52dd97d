/** On a narrow screen the list of all pages opens by a button. */
export function startMenu(): void {
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
