import { lazy, Route } from "preact-iso";
import { Site } from "../ui/site.tsx";
import { NotFound } from "./not-found.tsx";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in/sign-in.tsx";

const Health = lazy(() => import("./health/health.tsx"));
const Accounts = lazy(() => import("./accounts/accounts.tsx"));
const Account = lazy(() => import("./accounts/account.tsx"));
const Requests = lazy(() => import("./requests/requests.tsx"));
const AccountRequests = lazy(() => import("./requests/account-requests.tsx"));
const Ingests = lazy(() => import("./ingests/ingests.tsx"));
const Run = lazy(() => import("./ingests/run.tsx"));
const NewIngest = lazy(() => import("./new-ingest/new-ingest.tsx"));
const Mappings = lazy(() => import("./ingests/mappings.tsx"));
const Mapping = lazy(() => import("./ingests/mapping.tsx"));
const DeadLetters = lazy(() => import("./queues/dead-letters.tsx"));
const Queues = lazy(() => import("./queues/queues.tsx"));
const Queue = lazy(() => import("./queues/queue.tsx"));
const Rebuilds = lazy(() => import("./rebuilds/rebuilds.tsx"));
const Audit = lazy(() => import("./accounts/audit.tsx"));

/** The pages, by address. Each is loaded when it is opened. */
export function App() {
  return (
    <Site scope="/operators" SignIn={SignIn} Shell={Shell} NotFound={NotFound}>
      <Route path="/operators" component={Health} />
      <Route path="/operators/accounts" component={Accounts} />
      <Route path="/operators/accounts/:id" component={Account} />
      <Route path="/operators/requests" component={Requests} />
      <Route path="/operators/requests/:id" component={AccountRequests} />
      <Route path="/operators/ingests" component={Ingests} />
      <Route path="/operators/ingests/new" component={NewIngest} />
      <Route path="/operators/ingests/:run" component={Run} />
      <Route path="/operators/mappings" component={Mappings} />
      <Route path="/operators/mappings/:name" component={Mapping} />
      <Route path="/operators/queues" component={Queues} />
      <Route path="/operators/queues/:queue" component={Queue} />
      <Route path="/operators/dead-letters" component={DeadLetters} />
      <Route path="/operators/rebuilds" component={Rebuilds} />
      <Route path="/operators/audit" component={Audit} />
    </Site>
  );
}
