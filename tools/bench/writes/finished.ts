import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BulkItem, bulkParts } from "@tranche/shared/engines/search/bulk-part";
import { READ_MODELS, type ReadModel } from "@tranche/shared/engines/search/index-names";
import { readModelIndex } from "@tranche/read-models/indices/mappings";
import { createTicketClock, ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import pMap from "p-map";
import { assembleSources, type CompanyRange, fetchRange } from "../../../apps/indexer/read/company-range.ts";
import type { Sources } from "../../../apps/indexer/read/sources.ts";
import { createDerivation } from "../data/documents.ts";
import type { Family } from "../data/world.ts";
import type { Environment } from "../environment/environment.ts";

/** Companies whose documents, and those of their rounds, are sent together, as in a rebuild. */
const PAGE_SIZE = 400;
/** Pages under way: Elasticsearch is never to wait for the next one. */
const CONCURRENCY = 8;

/** Finished documents of some companies and of their rounds, as lines of a bulk in files. */
type FinishedPage = { files: string[]; documents: number; companies: CompanyRange };

const indexOf = ({ names }: Environment, model: ReadModel) => names.edges.replace(/edges$/, `bench-finished-${model}`);

const folderOf = ({ home }: Environment) => join(home, "finished");

/** Makes all documents of both read models, in the order of a rebuild. They are kept on disk: of 1,000,000 rounds they take a gigabyte. */
export function finishDocuments(environment: Environment): FinishedPage[] {
  const { names, world } = environment;
  const folder = folderOf(environment);
  discardFinished(environment);
  mkdirSync(folder);
  const [fundingIndex, companyIndex] = [indexOf(environment, "funding"), indexOf(environment, "companies")];
  const derive = createDerivation(world, names, 1);
  const pages: FinishedPage[] = [];
  const finish = (families: readonly Family[]) => {
    const made = derive(families);
    const items: BulkItem[] = [
      ...made.funding.map((document) => ({ index: fundingIndex, id: document.id, document })),
      ...made.companies.map((document) => ({ index: companyIndex, id: document.company_id, document })),
    ];
    const files = bulkParts(items).map(({ bytes }, part) => {
      const file = join(folder, `${pages.length}-${part}`);
      writeFileSync(file, bytes);
      return file;
    });
    const companies = { after: pages.at(-1)?.companies.last ?? null, last: families.at(-1)!.company.id };
    pages.push({ files, documents: items.length, companies });
  };
  let page: Family[] = [];
  for (const family of world.families()) {
    page.push(family);
    if (page.length === PAGE_SIZE) finish(page.splice(0));
  }
  if (page.length > 0) finish(page);
  return pages;
}

/** Removes what `finishDocuments` has kept. */
export function discardFinished(environment: Environment): void {
  rmSync(folderOf(environment), { recursive: true, force: true });
}

/**
 * Writes finished documents by bulks into empty indices like those of the read models, and takes the indices away again.
 * `reading`: reads and parses the records of each page before, as a rebuild does, and derives nothing of them.
 * Returns how many documents, and the seconds until they can be searched.
 */
export async function writeFinished(
  environment: Environment,
  pages: readonly FinishedPage[],
  { reading }: { reading: boolean } = { reading: false },
): Promise<{ documents: number; seconds: number }> {
  const { client } = environment;
  const index = READ_MODELS.map((model) => indexOf(environment, model));
  await client.indices.delete({ index, ignore_unavailable: true });
  for (const model of READ_MODELS) {
    await client.indices.create({
      index: indexOf(environment, model),
      ...readModelIndex(model, { shards: 1, replicas: 0 }),
    });
  }
  const investors: Sources["investors"] = new Map();
  const tickets = createTicketClock({
    redis: environment.redis,
    client,
    controlIndex: environment.names.control,
    redisKey: ticketKey(environment.namespace),
    onLost: async () => {},
  });
  const ticket = await tickets.take();
  const start = performance.now();
  await pMap(
    pages,
    async ({ files, companies }) => {
      if (reading) await assembleSources(environment, await fetchRange(environment, ticket, companies), investors);
      for (const file of files) await send(environment, await readFile(file));
    },
    { concurrency: CONCURRENCY },
  );
  await client.indices.refresh({ index });
  const seconds = (performance.now() - start) / 1000;
  await client.indices.delete({ index });
  return { documents: pages.reduce((sum, page) => sum + page.documents, 0), seconds };
}

async function send({ client }: Environment, bulkBody: Buffer): Promise<void> {
  const querystring = { filter_path: "errors,items.*.error" };
  const answer = await client.transport.request<{ errors: boolean }>({
    method: "POST",
    path: "/_bulk",
    querystring,
    bulkBody,
  });
  if (answer.errors) throw new Error(`Elasticsearch refused a finished document: ${JSON.stringify(answer)}`);
}
