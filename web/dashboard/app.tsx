import { Route } from "preact-iso";
import { lazyPage } from "../ui/lazy-page.tsx";
import { Site } from "../ui/site.tsx";
import { Invitation } from "./sign-in/invitation.tsx";
import { NotFound } from "./not-found.tsx";
import { withRole } from "./members/roles.tsx";
import { Shell } from "./shell.tsx";
import { SignIn } from "./sign-in/sign-in.tsx";
import { Unsubscribe } from "./follow/unsubscribe.tsx";

const Overview = lazyPage(() => import("./overview/overview.tsx"));
const KEYS = { title: "API keys", what: "API keys are" };
const APPLICATIONS = { title: "Applications", what: "Connected applications are" };
const CONNECT = { title: "Connect an application", what: "Connecting applications is" };
const WEBHOOKS = { title: "Webhooks", what: "Webhooks are" };
const Keys = withRole(
  "developer",
  KEYS,
  lazyPage(() => import("./keys/keys.tsx")),
);
const Applications = withRole(
  "developer",
  APPLICATIONS,
  lazyPage(() => import("./applications/applications.tsx")),
);
const Connect = withRole(
  "developer",
  CONNECT,
  lazyPage(() => import("./applications/connect.tsx")),
);
const Usage = lazyPage(() => import("./usage/usage.tsx"));
const Explore = lazyPage(() => import("./explore/explore.tsx"));
const Company = lazyPage(() => import("./profile/company.tsx"));
const Investor = lazyPage(() => import("./profile/investor.tsx"));
const Searches = lazyPage(() => import("./searches/searches.tsx"));
const Follow = lazyPage(() => import("./follow/follow.tsx"));
const Follows = lazyPage(() => import("./follow/follows.tsx"));
const Webhooks = withRole(
  "developer",
  WEBHOOKS,
  lazyPage(() => import("./webhooks/webhooks.tsx")),
);
const Webhook = withRole(
  "developer",
  WEBHOOKS,
  lazyPage(() => import("./webhooks/webhook.tsx")),
);
const Members = lazyPage(() => import("./members/members.tsx"));
const Sessions = lazyPage(() => import("./sessions/sessions.tsx"));

const Log = withRole(
  "admin",
  { title: "Log", what: "The log is" },
  lazyPage(() => import("./members/log.tsx")),
);
const OPEN = { invitation: Invitation, unsubscribe: Unsubscribe };

/** The pages, by address. Each is loaded when it is opened. */
export function App() {
  return (
    <Site scope="/dashboard" SignIn={SignIn} open={OPEN} Shell={Shell} NotFound={NotFound}>
      <Route path="/dashboard" component={Overview} />
      <Route path="/dashboard/keys" component={Keys} />
      <Route path="/dashboard/applications" component={Applications} />
      <Route path="/dashboard/oauth/authorize" component={Connect} />
      <Route path="/dashboard/usage" component={Usage} />
      <Route path="/dashboard/explore/:list?" component={Explore} />
      <Route path="/dashboard/companies/:id" component={Company} />
      <Route path="/dashboard/investors/:id" component={Investor} />
      <Route path="/dashboard/searches" component={Searches} />
      <Route path="/dashboard/searches/:id" component={Follow} />
      <Route path="/dashboard/follows" component={Follows} />
      <Route path="/dashboard/webhooks" component={Webhooks} />
      <Route path="/dashboard/webhooks/:id" component={Webhook} />
      <Route path="/dashboard/members" component={Members} />
      <Route path="/dashboard/log" component={Log} />
      <Route path="/dashboard/sessions" component={Sessions} />
    </Site>
  );
}
