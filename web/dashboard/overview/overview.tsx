import { useSession } from "../session.ts";

/** Where somebody arrives after signing in. */
export default function Overview() {
  const { account, member } = useSession();
  return (
    <div class="stack">
      <h1>{account.name}</h1>
      <p class="muted">
        Signed in as {member}. Plan: {account.plan_name}.
      </p>
    </div>
  );
}
