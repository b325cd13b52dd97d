import { Route } from "preact-iso";
import { lazyPage } from "../ui/lazy-page.tsx";
import { Site } from "../ui/site.tsx";
import { NotFound } from "./not-found.tsx";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in/sign-in.tsx";

const Health = lazyPage(() => import("./health/health.tsx"));
const Accounts = lazyPage(() => import("./accounts/accounts.tsx"));
const Account = lazyPage(() => import("./accounts/account.tsx"));
const Requests = lazyPage(() => import("./requests/requests.tsx"));
const AccountRequests = lazyPage(() => import("./requests/account-requests.tsx"));
const Ingests = lazyPage(() => import("./ingests/ingests.tsx"));
const Run = lazyPage(() => import("./ingests/run.tsx"));
const NewIngest = lazyPage(() => import("./new-ingest/new-ingest.tsx"));
const Mappings = lazyPage(() => import("./ingests/mappings.tsx"));
const Mapping = lazyPage(() => import("./ingests/mapping.tsx"));
const DeadLetters = lazyPage(() => import("./queues/dead-letters.tsx"));
const Queues = lazyPage(() => import("./queues/queues.tsx"));
const Queue = lazyPage(() => import("./queues/queue.tsx"));
const Rebuilds = lazyPage(() => import("./rebuilds/rebuilds.tsx"));
const Audit = lazyPage(() => import("./accounts/audit.tsx"));

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
