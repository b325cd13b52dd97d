import { expect, test } from "vitest";
import { signInMail } from "./sign-in-mail.ts";

const url = "https://app.example.com/dashboard/sign-in#secret";

test("a mail has a link for each account, as text and as HTML", () => {
  const accounts = ["Acme", "Beta & Sons"].map((name, n) => ({ account: `000000${n}`, name, url: `${url}${n}` }));
  const { text, html } = signInMail("ada@example.com", accounts);
  expect(text).toContain(`Beta & Sons (0000001):\n${url}1\n`);
  expect(html).toContain(`<a href="${url}1">Sign in to Beta &amp; Sons (0000001)</a>`);
});
