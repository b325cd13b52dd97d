import { ErrorBoundary, lazy, LocationProvider, Route, Router } from "preact-iso";
import { Shell } from "./shell.tsx";
import { NotFound } from "./not-found.tsx";
import { SignIn } from "./sign-in/sign-in.tsx";

const Overview = lazy(() => import("./overview/overview.tsx"));

/** The pages, by address. Each is loaded when it is opened. */
export function App() {
  return (
    <LocationProvider scope="/dashboard">
      <ErrorBoundary>
        <Router>
          <Route path="/dashboard/sign-in" component={SignIn} />
          <Route path="/dashboard" component={() => <Shell page={Overview} />} />
          <Route default component={NotFound} />
        </Router>
      </ErrorBoundary>
    </LocationProvider>
  );
}
