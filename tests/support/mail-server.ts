import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail as the server got it: its header as it came, its two texts decoded and with `\n` at the ends of lines. */
export type ReceivedMail = { from: string; to: string[]; head: string; plain: string; html: string };

export type MailServer = {
  url: string;
  mails: ReceivedMail[];
  /** From now on mails are refused, or taken again. */
  refuse(refused: boolean): void;
  /** From now on mails to an address are refused for good, or taken again. */
  bounce(email: string, bounced: boolean): void;
  /** From now on mails are taken without an answer, so that nobody knows they are, or with one again. */
  hold(held: boolean): void;
  /** How many mails it has refused. */
  refusals(): number;
  close(): Promise<void>;
};

/** An SMTP server that asks for a user and a password. */
export async function startMailServer(): Promise<MailServer> {
  const [user, password] = ["tranche", "s3cret"];
  const mails: ReceivedMail[] = [];
  let refused = false;
  let held = false;
  let refusals = 0;
  const bounced = new Set<string>();
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth({ username, password: given }, _session, done) {
      if (username === user && given === password) done(null, { user });
      else done(new Error("wrong password"));
    },
    onMailFrom(_address, _session, done) {
      if (refused) refusals++;
      done(refused ? Object.assign(new Error("try later"), { responseCode: 451 }) : null);
    },
    onRcptTo({ address }, _session, done) {
      const error = Object.assign(new Error("no such mailbox"), { responseCode: 550 });
      done(bounced.has(address) ? error : null);
    },
    onData(stream, { envelope }, done) {
      void text(stream).then(async (raw) => {
        const { text: plain = "", html = "" } = await PostalMime.parse(raw);
        mails.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : "",
          to: envelope.rcptTo.map(({ address }) => address),
          head: raw.slice(0, raw.indexOf("\r\n\r\n")),
          plain,
          html,
        });
        if (!held) done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${user}:${password}@127.0.0.1:${port}`,
    mails,
    refuse: (wanted) => void (refused = wanted),
    bounce: (email, wanted) => void (wanted ? bounced.add(email) : bounced.delete(email)),
    hold: (wanted) => void (held = wanted),
    refusals: () => refusals,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Opens every address in a mail, as scanners of mails do. */
export async function openAll({ head, plain, html }: ReceivedMail): Promise<string[]> {
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, " ");
  const found = [unfolded, plain, html].flatMap((part) => part.match(/https?:\/\/[^\s"<>]+/g) ?? []);
  const addresses = [...new Set(found.map((address) => address.replaceAll("&amp;", "&")))];
  for (const address of addresses) {
    for (const method of ["HEAD", "GET"]) await (await fetch(address, { method })).arrayBuffer();
  }
  return addresses;
}
