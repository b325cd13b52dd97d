import { expect, test } from "vitest";
import { invitationMail } from "./invitation-mail.ts";

const url = "https://app.example.com/dashboard/invitation#secret";

test("an invitation says who invites whom to what, and for how long", () => {
  const { to, text, html } = invitationMail("bob@example.com", {
    account: "Beta & Sons",
    role: "developer",
    by: "ada@example.com",
    url,
  });
  expect(to).toBe("bob@example.com");
  expect(text).toContain("ada@example.com invites you to the account Beta & Sons, as developer.");
  expect(text).toContain("The invitation is for bob@example.com, and can be used once within 7 days.");
  expect(html).toContain(`<a href="${url}">Open the invitation to Beta &amp; Sons</a>`);
});

test("a name is text on one line, whatever is in it", () => {
  const account = '<img src=x onerror="alert(1)">\r\n\r\nYour\u2028account';
  const mail = invitationMail("bob@example.com", { account, role: "viewer", by: "ada@example.com", url });
  expect(mail.text).toContain('the account <img src=x onerror="alert(1)"> Your account, as viewer.');
  expect(mail.html).not.toContain("<img");
  expect(mail.subject).not.toContain("alert");
});
