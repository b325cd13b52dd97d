import { useEffect } from "preact/hooks";

/** The title of a page in tabs and bookmarks. */
export const titleOf = (name: string | undefined): string => (name === undefined ? "Tranche" : `${name} · Tranche`);

/** Names a page after what it shows, once that is known. Without a name the title stays. */
export function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) document.title = titleOf(name);
  }, [name]);
}
