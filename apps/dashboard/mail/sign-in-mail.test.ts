import { expect, test } from "vitest";
import { invitationMail, signInMail } from "./sign-in-mail.ts";

const url = "https://app.example.com/dashboard/sign-in#secret";

test("a mail has a link for each account, as text and as HTML", () => {
  const accounts = ["Acme", "Beta & Sons"].map((name, n) => ({ account: `000000${n}`, name, url: `${url}${n}` }));
  const { text, html } = signInMail("ada@example.com", accounts);
  expect(text).toContain(`Beta & Sons (0000001):\n${url}1\n`);
  expect(html).toContain(`<a href="${url}1">Sign in to Beta &amp; Sons (0000001)</a>`);
});

test("a name is text on one line, whatever is in it", () => {
  const name = '<img src=x onerror="alert(1)">\r\n\r\nYour\u2028account';
  const { text, html, subject } = invitationMail(
    "ada@example.com",
    { account: "00000000", name, url },
    { by: "bob@example.com", signInPage: "https://app.example.com/dashboard/sign-in" },
  );
  expect(text).toContain('the account <img src=x onerror="alert(1)"> Your account.');
  expect(html).not.toContain("<img");
  expect(subject).not.toContain("alert");
});
