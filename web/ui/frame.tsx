import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ThemeButton } from "./theme.tsx";
import "./frame.css";

/** A link of the navigation: its URL and its text. */
export type NavLink = readonly [href: string, text: string];

/** The frame of every page of a site: its name, the links, signing out. On a phone the links are in a menu. */
export function Frame({
  name,
  home,
  links,
  path,
  find,
  signedIn,
  children,
}: {
  name: string;
  home: string;
  links: readonly NavLink[];
  /** Of the page that is shown. */
  path: string;
  /** Opens the search of the site, where it has one. */
  find?: ComponentChildren;
  /** For those who are: the address of the docs, and how to sign out. */
  signedIn: { docs: string; signOut: () => Promise<void> } | undefined;
  children: ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const isHere = (href: string) => path === href || (href !== home && path.startsWith(`${href}/`));
  return (
    <div class="frame">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class={open ? "side open" : "side"}>
        <a class="brand" href={home}>
          <Brand name={name} />
        </a>
        <button type="button" class="button menu" aria-expanded={open} onClick={() => setOpen(!open)}>
          Menu
        </button>
        {find}
        <div class="inside">
          <nav aria-label="Pages" class="nav-links">
            {links.map(([href, text]) => (
              <a key={href} href={href} aria-current={isHere(href) ? "page" : undefined}>
                {text}
              </a>
            ))}
          </nav>
          <div class="actions">
            {signedIn && (
              <a class="button" href={signedIn.docs}>
                Docs
              </a>
            )}
            <ThemeButton />
            {signedIn && (
              <button type="button" class="button" onClick={() => void signedIn.signOut()}>
                Sign out
              </button>
            )}
          </div>
        </div>
      </header>
      <main id="content" class="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** A page without navigation, such as signing in. */
export function NarrowPage({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <main class="content narrow stack">
      <p class="brand">
        <Brand name={name} />
      </p>
      {children}
    </main>
  );
}

function Brand({ name }: { name: string }) {
  return (
    <>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#0b5c4a" />
        <path d="M8 22V17M14 22V13M20 22V9M26 22V15" stroke="#fff" stroke-width="3.2" stroke-linecap="round" />
      </svg>
      {name}
    </>
  );
}
