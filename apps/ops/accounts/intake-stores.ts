import { createIngestTokenStore, type IngestTokenStore } from "@tranche/shared/accounts/ingest-token-store";
import { createMappingStore, type MappingStore } from "@tranche/shared/accounts/mapping-store";
import type { Engines } from "../context/connect.ts";
import { operator } from "../context/operator.ts";

/** Stored mappings, changed in the name of the user at the command line. */
export const mappingStore = ({ client, names }: Engines): MappingStore =>
  createMappingStore(client, names.accounts, { actor: operator() });

/** Ingest tokens, changed in the name of the user at the command line. */
export const ingestTokenStore = ({ client, names }: Engines): IngestTokenStore =>
  createIngestTokenStore(client, names.accounts, { actor: operator() });
