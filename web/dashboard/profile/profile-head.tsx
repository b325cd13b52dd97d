import type { ComponentChildren } from "preact";
import "./facts.css";

/** The head of a page about a company or an investor: the way back to the list, the name, and a line of what is known. */
export function ProfileHead({
  list,
  href,
  name,
  known,
  children,
}: {
  list: string;
  href: string;
  name: string;
  /** In their order; empty ones are left out. */
  known: readonly ComponentChildren[];
  children?: ComponentChildren;
}) {
  const shown = known.filter((one) => one !== null && one !== undefined && one !== false && one !== "");
  return (
    <header class="profile-head anywhere">
      <div>
        <p class="profile-crumb">
          <a href={href}>{list}</a>
        </p>
        <h1>{name}</h1>
        <p class="muted">
          {shown.map((one, at) => (
            <span key={at}>
              {at > 0 && " · "}
              {one}
            </span>
          ))}
        </p>
      </div>
      {children}
    </header>
  );
}
