import type { ComponentType } from "preact";
import type { Role } from "../../../libs/shared/accounts/role.ts";
import { Notice } from "../../ui/states.tsx";
import { useSession } from "../session.ts";

/** The roles with their rights, the least first. */
export const ROLES: readonly { role: Role; name: string; may: string }[] = [
  { role: "viewer", name: "Viewer", may: "Explores, saves searches and follows by mail." },
  { role: "developer", name: "Developer", may: "Also keys, webhooks, feed links and connected applications." },
  { role: "admin", name: "Admin", may: "Also members, their roles and the account's log." },
];

export const nameOf = (role: Role): string => ROLES.find((each) => each.role === role)!.name;

const rank = (role: Role): number => ROLES.findIndex((each) => each.role === role);

/** Whether the signed-in member may do what needs a role. */
export function useMayDo(needed: Role): boolean {
  return rank(useSession().role) >= rank(needed);
}

/** Says why something is not there, and who can change that. `what` begins the sentence, such as "API keys are". */
export function RoleNeeded({ needed, what }: { needed: Role; what: string }) {
  const { role, admins } = useSession();
  return (
    <Notice>
      <p class="anywhere">
        {what} for {needed === "admin" ? "admins" : "developers and admins"} of this account. You are a {role}.{" "}
        {admins.length === 0
          ? "The operators of this service can change that."
          : `An admin can change that: ${admins.slice(0, 3).join(", ")}.`}
      </p>
    </Notice>
  );
}

/** A page for members with a role. Others see its name and the reason. */
export function withRole<Props extends object>(
  needed: Role,
  { title, what }: { title: string; what: string },
  Page: ComponentType<Props>,
) {
  return function PageWithRole(props: Props) {
    if (useMayDo(needed)) return <Page {...props} />;
    return (
      <div class="stack">
        <h1>{title}</h1>
        <RoleNeeded needed={needed} what={what} />
      </div>
    );
  };
}

/** Chooses a role. */
export function RoleChoice({ role, choose }: { role: Role; choose: (role: Role) => void }) {
  return (
    <fieldset class="choices">
      <legend>Role</legend>
      {ROLES.map((each) => (
        <label key={each.role}>
          <input type="radio" name="role" checked={each.role === role} onChange={() => choose(each.role)} />
          <span>
            <strong>{each.name}</strong> <span class="muted">{each.may}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
