import type { ComponentChildren, ComponentProps, ComponentType } from "preact";
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { Skeleton } from "./states.tsx";

type Parts = {
  /** The path that all addresses of the site begin with. The sign-in page is below it. */
  scope: string;
  SignIn: ComponentType;
  /** Further pages that need no session, by their name below the scope. */
  open?: Readonly<Record<string, ComponentType>>;
  /** The frame of every other page. */
  Shell: ComponentType<{ children: ComponentChildren }>;
  NotFound: ComponentType;
  /** The routes. */
  children: NonNullable<ComponentProps<typeof Router>["children"]>;
};

/** A site of pages by address. All but the sign-in page and open ones need a session. */
export function Site(parts: Parts) {
  return (
    <LocationProvider scope={parts.scope}>
      <ErrorBoundary>
        <Pages {...parts} />
      </ErrorBoundary>
    </LocationProvider>
  );
}

function Pages({ scope, SignIn, open = {}, Shell, NotFound, children }: Parts) {
  const { path } = useLocation();
  // While the script of the first page is on its way. Later ones come while the page before them is still shown.
  const [first, setFirst] = useState<"loading" | "loaded">();
  if (path === `${scope}/sign-in`) return <SignIn />;
  const Open = open[path.slice(scope.length + 1)];
  if (Open) return <Open />;
  return (
    <Shell>
      {isEscapedRight(path) ? (
        <>
          {first === "loading" && <Skeleton rows={8} />}
          <Router onLoadStart={() => setFirst((last) => last ?? "loading")} onLoadEnd={() => setFirst("loaded")}>
            {children}
            <Route default component={NotFound} />
          </Router>
        </>
      ) : (
        <NotFound />
      )}
    </Shell>
  );
}

/** The router fails on a path that is not. */
function isEscapedRight(path: string): boolean {
  try {
    // The result is used: the bundler leaves out a call for its error alone.
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}
