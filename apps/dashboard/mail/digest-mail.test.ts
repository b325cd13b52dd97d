import { expect, test } from "vitest";
import { fundingRow as row } from "../../../tests/support/funding-row.ts";
import { digestMail } from "./digest-mail.ts";

const urls = {
  dashboard: "https://app.example.com/dashboard",
  unsubscribe: {
    page: "https://app.example.com/dashboard/unsubscribe#token",
    oneClick: "https://app.example.com/dashboard/api/unsubscribe?token=token",
  },
};
const follow = {
  name: "Seed in <b>Berlin</b>",
  of: { kind: "search", id: "s1" },
  member: "ada@example.com",
  every: "daily",
} as const;

test("a digest says what came, why it comes and how to end it, as text and as HTML", () => {
  const mail = digestMail(
    follow,
    { rows: [row(), row({ amount_usd: null, deal_type: "pre_seed" })], more: 3, removed: 1 },
    urls,
  );
  expect(mail.subject).toBe("Seed in <b>Berlin</b>: 5 rounds");
  expect(mail.text).toContain(
    "* Acme: Series A, $12.5M\n  12 Mar 2026\n  Sequoia (lead)\n  https://app.example.com/dashboard/companies/co%2F1\n",
  );
  expect(mail.text).toContain("* Acme: Pre-seed, amount undisclosed");
  expect(mail.text).toContain("See 3 more rounds in the dashboard.");
  expect(mail.text).toContain("Removed: 1 round, deleted or no longer matching what you follow.");
  expect(mail.text).toContain("You get this because you follow “Seed in <b>Berlin</b>” by mail, every day.");
  expect(mail.text).toContain(urls.unsubscribe.page);
  expect(mail.html).toContain("Seed in &lt;b&gt;Berlin&lt;/b&gt;");
  expect(mail.html).not.toContain("<b>Berlin");
  expect(mail.headers).toEqual({
    "List-Unsubscribe": `<${urls.unsubscribe.oneClick}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
});

test("names are text on one line, and long lists are counted", () => {
  const investors = Array.from({ length: 9 }, (_, n) => ({
    id: `i${n}`,
    name: `I${n}\r\nBcc: x`,
    slug: "i",
    is_lead: false,
  }));
  const company = { ...row().company, name: "<script>alert(1)</script>\nhttp://evil.example" };
  const { text, html, subject } = digestMail(
    { ...follow, name: "x".repeat(200) },
    { rows: [row({ company, investors })], more: 0, removed: 0 },
    urls,
  );
  expect(text).toContain("* <script>alert(1)</script> http://evil.example: Series A");
  expect(text).toContain("I5 Bcc: x and 3 others");
  expect(html).not.toContain("<script>");
  expect(subject.length).toBeLessThan(100);
  expect(digestMail(follow, { rows: [], more: 0, removed: 2 }, urls).subject).toContain("2 rounds removed");
  const named = { ...follow, name: "Win at https://evil.example/ now" };
  expect(digestMail(named, { rows: [row()], more: 0, removed: 0 }, urls).subject).toBe("Win at … now: 1 round");
});

test("the name of a company or an investor has an address only when the data have the same name", () => {
  const companies = { ...follow, of: { kind: "companies" as const, ids: ["b"] } };
  const investor = { ...follow, of: { kind: "investor" as const, id: "i" } };
  const rows = [
    row({
      company: { ...row().company, id: "b", name: "Booking.com" },
      investors: [{ id: "i", name: "Fund.vc", slug: "f", is_lead: false }],
    }),
  ];
  const subject = (of: typeof companies | typeof investor, name: string, shown = rows) =>
    digestMail({ ...of, name }, { rows: shown, more: 0, removed: 1 }, urls).subject;
  expect(subject(companies, "Booking.com")).toBe("Booking.com: 1 round");
  expect(subject(investor, "Fund.vc")).toBe("Fund.vc: 1 round");
  expect(subject(companies, "Sign in at https://evil.example/")).toBe("Sign in at …: 1 round");
  expect(subject(companies, "Fund.vc")).toBe("…: 1 round");
  expect(subject(investor, "Booking.com")).toBe("…: 1 round");
  expect(subject(companies, "Booking.com", [])).toBe("…: 1 round removed");
  const another = { ...companies, of: { kind: "companies" as const, ids: ["c"] } };
  expect(subject(another, "Booking.com")).toBe("…: 1 round");
});
