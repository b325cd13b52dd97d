import { ErrorBoundary, lazy, LocationProvider, Route, Router } from "preact-iso";
import { Shell } from "./shell.tsx";
import { NotFound } from "./not-found.tsx";
import { SignIn } from "./sign-in/sign-in.tsx";

const Overview = lazy(() => import("./overview/overview.tsx"));
const Explore = lazy(() => import("./explore/explore.tsx"));
const Company = lazy(() => import("./companies/company.tsx"));
const Investor = lazy(() => import("./investors/investor.tsx"));
const Searches = lazy(() => import("./searches/searches.tsx"));
const Members = lazy(() => import("./members/members.tsx"));
const Sessions = lazy(() => import("./sessions/sessions.tsx"));

/** The pages, by address. Each is loaded when it is opened. */
export function App() {
  return (
    <LocationProvider scope="/dashboard">
      <ErrorBoundary>
        <Router>
          <Route path="/dashboard/sign-in" component={SignIn} />
          <Route path="/dashboard" component={() => <Shell page={Overview} />} />
          <Route path="/dashboard/explore/:list?" component={() => <Shell page={Explore} />} />
          <Route path="/dashboard/companies/:id" component={() => <Shell page={Company} />} />
          <Route path="/dashboard/investors/:id" component={() => <Shell page={Investor} />} />
          <Route path="/dashboard/searches" component={() => <Shell page={Searches} />} />
          <Route path="/dashboard/members" component={() => <Shell page={Members} />} />
          <Route path="/dashboard/sessions" component={() => <Shell page={Sessions} />} />
          <Route default component={NotFound} />
        </Router>
      </ErrorBoundary>
    </LocationProvider>
  );
}
