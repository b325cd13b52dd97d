import type { Settings } from "@tranche/shared/process/settings";
import { createTransport } from "nodemailer";

/** `headers`: further ones. `messageId`: the same for the same mail, so that mail programs see what comes twice. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
  messageId?: string;
};

export type Mailer = {
  /** Resolves when the mail server has taken the mail. */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** Why something can't be mailed, for people. */
export const NO_MAILS =
  "This service sends no mails. Its operators have to set TRANCHE_SMTP_URL and TRANCHE_MAIL_FROM.";

const WITHIN_MS = 10_000;
const CONNECTIONS = 3;

/** Sends mails by SMTP, over a few connections that stay open while they are used. */
function createMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: WITHIN_MS,
      greetingTimeout: WITHIN_MS,
      socketTimeout: WITHIN_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    async send({ to, ...mail }) {
      // As an object: a string would be parsed, and may name several recipients.
      await transport.sendMail({ ...mail, to: { name: "", address: to } });
    },
    close: () => transport.close(),
  };
}

/** The same mailer, which reports whether the mail server took a mail. */
export const observed = (mailer: Mailer, observe: (taken: boolean) => void): Mailer => ({
  ...mailer,
  async send(mail) {
    try {
      await mailer.send(mail);
    } catch (error) {
      observe(false);
      throw error;
    }
    observe(true);
  },
});

/** The mailer of the settings; undefined where there is no mail server. Throws a text for people when its sender is missing. */
export function mailerOf(settings: Pick<Settings, "TRANCHE_SMTP_URL" | "TRANCHE_MAIL_FROM">): Mailer | undefined {
  const { TRANCHE_SMTP_URL: url, TRANCHE_MAIL_FROM: from } = settings;
  if (url === undefined) return undefined;
  if (from === undefined) throw new Error("TRANCHE_SMTP_URL needs TRANCHE_MAIL_FROM, the sender of the mails.");
  return createMailer({ url, from });
}
