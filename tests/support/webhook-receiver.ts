import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { challengeAnswer } from "../../apps/indexer/webhooks/challenge-answer.ts";
import { Webhook } from "standardwebhooks";

export type Change = { change: "upsert" | "remove"; id: string; changed_at: string; row?: unknown };
export type Received = { id: string; type: string; status: number; changes: Change[] };

/** A receiver of webhooks on this machine. Tests change how it answers. */
export type Receiver = {
  url: string;
  /** Those that it accepts; it answers challenges with the last. Before there is one, it accepts everything. */
  secrets: string[];
  status: number;
  /** What it does between a message and its answer. */
  beforeAnswer: () => Promise<void>;
  /** `break`: it closes the connection; `take`: it does so after it has taken the message; `silence`: it never answers; an address: it redirects there. */
  mode: "normal" | "break" | "take" | "silence" | `http://${string}`;
  challenge: "answer" | "echo" | "nothing";
  messages: Received[];
  /** The most messages that were under way to it at once. */
  mostAtOnce: number;
  /** Ids of messages that no secret has signed. */
  unsigned: string[];
  /** All changes that were accepted, in the order in which they came. */
  changes(): Change[];
  /** The documents that are there after all changes. */
  copy(): Map<string, unknown>;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  let underWay = 0;
  const server = createServer((request, response) => {
    let text = "";
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, ++underWay);
    response.on("close", () => underWay--);
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const headers = request.headers as Record<string, string>;
      if (!isSigned(receiver.secrets, text, headers)) receiver.unsigned.push(headers["webhook-id"]!);
      // A message of Slack has neither type nor data.
      const { type = "slack", data = {} } = JSON.parse(text) as {
        type?: string;
        data?: { challenge?: string; changes?: Change[] };
      };
      const { mode } = receiver;
      if (mode === "break") return void request.socket.destroy();
      if (mode === "silence") return;
      const status = mode === "normal" ? receiver.status : mode === "take" ? 200 : 302;
      receiver.messages.push({ id: headers["webhook-id"]!, type, status, changes: data.changes ?? [] });
      if (mode === "take") return void request.socket.destroy();
      const answer = answerTo(data.challenge, receiver);
      const headersOfAnswer = mode === "normal" ? {} : { Location: mode };
      void receiver.beforeAnswer().then(() => response.writeHead(status, headersOfAnswer).end(answer));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secrets: [],
    status: 200,
    beforeAnswer: async () => {},
    mode: "normal",
    challenge: "answer",
    messages: [],
    mostAtOnce: 0,
    unsigned: [],
    changes: () => receiver.messages.filter(({ status }) => status === 200).flatMap(({ changes }) => changes),
    copy() {
      const documents = new Map<string, unknown>();
      for (const { change, id, row } of receiver.changes()) {
        if (change === "upsert") documents.set(id, row);
        else documents.delete(id);
      }
      return documents;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

function answerTo(challenge: string | undefined, { challenge: how, secrets }: Receiver): string {
  if (challenge === undefined || how === "nothing") return "thanks";
  return how === "echo" ? challenge : challengeAnswer(secrets.at(-1) ?? "", challenge);
}

function isSigned(secrets: readonly string[], body: string, headers: Record<string, string>): boolean {
  if (secrets.length === 0) return true;
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  });
}
