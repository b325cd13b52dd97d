const CLICKED = "tranche-docs-run";
/** Exports cost many requests of the month: they are filled in, and sent by their reader. */
const NEVER = /\/export\w+\?/;

/** Remembers which request a reader has clicked, so that its page sends it. Links of other sites send nothing. */
export function startRunLinks(): void {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a.request");
    if (link?.search && !NEVER.test(link.href)) sessionStorage.setItem(CLICKED, link.href);
  });
}

/** Whether a reader came here by clicking this request; true once. */
export function takeClicked(): boolean {
  const clicked = sessionStorage.getItem(CLICKED);
  sessionStorage.removeItem(CLICKED);
  return clicked === location.href;
}
