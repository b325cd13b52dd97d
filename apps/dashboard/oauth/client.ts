import type { ClientStore } from "@tranche/shared/accounts/client-store";
import type { GrantedClient } from "@tranche/shared/accounts/grant";

/** An application that asks to be connected, with the addresses that codes may be sent to. */
export type Client = GrantedClient & { redirect_uris: readonly string[] };

/** Nobody knows such an application, or it can't be connected. The message is for people. */
export class UnusableClient extends Error {
  override name = "UnusableClient";
}

/** The client of a client_id. Throws UnusableClient. */
export type FindClient = (clientId: string) => Promise<Client>;

/**
 * Finds clients by their documents and, where they may register, among `registered`. A client_id that is an address is that of a document.
 */
export function createFindClient(
  readDocument: FindClient,
  registered: Pick<ClientStore, "find"> | undefined,
): FindClient {
  if (!registered) return readDocument;
  return async (clientId) => {
    if (URL.canParse(clientId)) return readDocument(clientId);
    const found = await registered.find(clientId);
    if (found) return { id: found.key_id, name: found.name, host: null, redirect_uris: found.redirect_uris };
    throw new UnusableClient(
      "The application is not registered here, or was forgotten because nobody connected it within a day. Remove the connection in the application, and add it again.",
    );
  };
}

const MAX_NAME = 80;
/** Of a longer name nothing else is looked at. */
const MAX_READ = 500;

/** A name that a stranger chose, on one line and without characters that are not seen or cover others; undefined when nothing is left. */
export function shownName(name: string): string | undefined {
  const seen = name
    .slice(0, MAX_READ)
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/\p{C}/gu, "")
    .replace(/(\p{M}{2})\p{M}+/gu, "$1")
    .trim();
  const characters = [...new Intl.Segmenter().segment(seen)].slice(0, MAX_NAME);
  return characters.map(({ segment }) => segment).join("") || undefined;
}
