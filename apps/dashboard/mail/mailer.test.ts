import { expect, test } from "vitest";
import { type Mail, type Mailer, observed } from "./mailer.ts";

test("every mail is reported, by whether the mail server took it", async () => {
  const taken: boolean[] = [];
  const mailer: Mailer = {
    send: async ({ to }) => {
      if (to === "none@example.com") throw new Error("no such mailbox");
    },
    close() {},
  };
  const reporting = observed(mailer, (one) => void taken.push(one));
  const mail = (to: string): Mail => ({ to, subject: "", text: "", html: "" });
  await reporting.send(mail("ann@example.com"));
  await expect(reporting.send(mail("none@example.com"))).rejects.toThrow("no such mailbox");
  expect(taken).toEqual([true, false]);
});
