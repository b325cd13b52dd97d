import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./frame.css";

/** Where one can go: address and name. */
export type Place = readonly [href: string, name: string];

/** The frame of every page of a site: its name, the places, actions such as signing out. On a phone the places are in a menu. */
export function Frame({
  name,
  home,
  places,
  path,
  actions,
  children,
}: {
  name: string;
  home: string;
  places: readonly Place[];
  /** Of the page that is shown. */
  path: string;
  actions: ComponentChildren;
  children: ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const isHere = (place: string) => path === place || (place !== home && path.startsWith(`${place}/`));
  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class={open ? "side open" : "side"}>
        <a class="brand" href={home}>
          <Logo />
          {name}
        </a>
        <button type="button" class="button menu" aria-expanded={open} onClick={() => setOpen(!open)}>
          Menu
        </button>
        <div class="inside">
          <nav aria-label="Pages" class="places">
            {places.map(([href, place]) => (
              <a key={href} href={href} aria-current={isHere(href) ? "page" : undefined}>
                {place}
              </a>
            ))}
          </nav>
          <div class="actions">{actions}</div>
        </div>
      </header>
      <main id="content" class="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0b5c4a" />
      <path d="M8 22V17M14 22V13M20 22V9M26 22V15" stroke="#fff" stroke-width="3.2" stroke-linecap="round" />
    </svg>
  );
}
