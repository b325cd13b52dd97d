import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { NotFound } from "./not-found.tsx";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in/sign-in.tsx";

const Health = lazy(() => import("./health/health.tsx"));
const Accounts = lazy(() => import("./accounts/accounts.tsx"));
const Account = lazy(() => import("./account/account.tsx"));
const Ingests = lazy(() => import("./ingests/ingests.tsx"));
const DeadLetters = lazy(() => import("./dead-letters/dead-letters.tsx"));
const Rebuilds = lazy(() => import("./rebuilds/rebuilds.tsx"));
const Audit = lazy(() => import("./audit/audit.tsx"));

export function App() {
  return (
    <LocationProvider scope="/operators">
      <ErrorBoundary>
        <Pages />
      </ErrorBoundary>
    </LocationProvider>
  );
}

/** The pages, by address. Each is loaded when it is opened. All but the first are for somebody who is signed in. */
function Pages() {
  const { path } = useLocation();
  if (path === "/operators/sign-in") return <SignIn />;
  return (
    <Shell>
      <Router>
        <Route path="/operators" component={Health} />
        <Route path="/operators/accounts" component={Accounts} />
        <Route path="/operators/accounts/:id" component={Account} />
        <Route path="/operators/ingests" component={Ingests} />
        <Route path="/operators/dead-letters" component={DeadLetters} />
        <Route path="/operators/rebuilds" component={Rebuilds} />
        <Route path="/operators/audit" component={Audit} />
        <Route default component={NotFound} />
      </Router>
    </Shell>
  );
}
