import type { InvitedMember } from "../data.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Notice } from "../../ui/states.tsx";
import { nameOf } from "./roles.tsx";

/** Says how an invitation gets to a member. A link to send by hand is shown only here. */
export function Invited({ member }: { member: InvitedMember }) {
  const { email, role, days } = member;
  const invited = (
    <>
      <strong class="anywhere">{email}</strong> is invited, as {nameOf(role).toLowerCase()}.
    </>
  );
  if (member.mail === "sent") {
    return (
      <Notice>
        <p>
          {invited} The invitation is on its way, and works once within {days} days.
        </p>
      </Notice>
    );
  }
  return (
    <>
      <Notice kind={member.mail === "failed" ? "warning" : "info"}>
        <p>
          {invited} {member.mail === "failed" && "The mail could not be sent. "}Send them this link yourself. It works
          once within {days} days, and is shown only here.
          {member.mail === "none" &&
            " It signs in whoever opens it, and what they do has your name beside theirs in the log."}
        </p>
      </Notice>
      <CodeBlock code={member.url} what="the invitation" wrap />
    </>
  );
}
