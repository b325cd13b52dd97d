import type { Readable } from "node:stream";
import { type Client, errors, type estypes } from "@elastic/elasticsearch";
import { retryForever, wholeAnswer } from "./retry-forever.ts";

const PAGE_SIZE = 5000;

type SearchAll = {
  index: string;
  query: estypes.QueryDslQueryContainer;
  /** Keyword or date fields that together identify a document. */
  sort: string[];
  source: string[] | boolean;
  pageSize?: number;
  /** Whether failures are passed on at once, because somebody waits for the answer. */
  impatient?: boolean;
};

/** Every document of a query, for a caller that waits: failures are passed on at once. */
export const readAll = <T>(client: Client, request: Omit<SearchAll, "impatient">): Promise<T[]> =>
  collected(searchAll<T>(client, { ...request, impatient: true }));

/** The items of all pages. */
export async function collected<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) for (const each of page) found.push(each);
  return found;
}

/**
 * Every document of a query, page by page, in the order of `sort`. A document that changes meanwhile may come in its old or its new
 * state. Temporary failures are retried.
 */
export const searchAll = <T>(client: Client, request: SearchAll): AsyncGenerator<T[]> =>
  sourcesOf(hitsOf<T>(client, request));

/** The same with each hit's sequence number, which shows whether the document has changed since. */
export const searchAllHits = <T>(client: Client, request: SearchAll): AsyncGenerator<estypes.SearchHit<T>[]> =>
  hitsOf<T>(client, request, { others: { seq_no_primary_term: true } });

/**
 * A `searchAll` whose first page was fetched ahead of time and is held as bytes: those take a fraction of the memory of objects, and
 * the garbage collector does not traverse them.
 */
export type ReadAhead<T> = { pages(): AsyncGenerator<T[]> };

export async function searchAhead<T>(client: Client, request: SearchAll): Promise<ReadAhead<T>> {
  const bytes = await retryForever(() => searchBytes(client, pageRequest(request)));
  return { pages: () => sourcesOf(hitsOf<T>(client, request, { bytes })) };
}

/** Every value of a keyword field that identifies documents, in order and page by page. No other field is read. */
export async function* searchKeys(
  client: Client,
  { field, ...request }: Omit<SearchAll, "sort" | "source"> & { field: string },
): AsyncGenerator<string[]> {
  for await (const page of searchSorted(client, { ...request, sort: [field] })) yield page.map(([key]) => key!);
}

/** The same for several keyword fields that identify documents together: their values, in the order of `sort`. */
export async function* searchSorted(client: Client, request: Omit<SearchAll, "source">): AsyncGenerator<string[][]> {
  const pages = hitsOf(client, { ...request, source: false }, { others: { stored_fields: "_none_" } });
  for await (const page of pages) yield page.map((hit) => hit.sort as string[]);
}

async function* sourcesOf<T>(pages: AsyncIterable<estypes.SearchHit<T>[]>): AsyncGenerator<T[]> {
  for await (const page of pages) yield page.map((hit) => hit._source!);
}

/** `bytes`: the first page, if it was already read. */
function hitsOf<T>(
  client: Client,
  request: SearchAll,
  options: { others?: estypes.SearchRequest; bytes?: Buffer } = {},
): AsyncGenerator<estypes.SearchHit<T>[]> {
  let { bytes } = options;
  const patiently: typeof retryForever = request.impatient ? (call) => call() : retryForever;
  return pagesOf(pageSizeOf(request), async (after) => {
    const answer = await patiently(async () => {
      const read = bytes;
      bytes = undefined;
      return wholeAnswer(
        read === undefined
          ? await client.search<T>({ ...pageRequest(request, after), ...options.others })
          : (JSON.parse(read.toString()) as estypes.SearchResponse<T>),
      );
    });
    return answer.hits.hits;
  });
}

/** Page after page, until one is not full. `read`: the hits that are sorted after those of the page before. */
export async function* pagesOf<T>(
  pageSize: number,
  read: (after?: estypes.SortResults) => Promise<estypes.SearchHit<T>[]>,
): AsyncGenerator<estypes.SearchHit<T>[]> {
  let after: estypes.SortResults | undefined;
  for (;;) {
    const hits = await read(after);
    if (hits.length > 0) yield hits;
    if (hits.length < pageSize) return;
    after = hits.at(-1)!.sort;
  }
}

function pageRequest(request: SearchAll, after?: estypes.SortResults): estypes.SearchRequest {
  return {
    index: request.index,
    query: request.query,
    sort: request.sort.map((field) => ({ [field]: "asc" as const })),
    _source: request.source,
    size: pageSizeOf(request),
    track_total_hits: false,
    ...(after ? { search_after: after } : {}),
  };
}

const pageSizeOf = (request: SearchAll): number => request.pageSize ?? PAGE_SIZE;

/** The answer of a search as it came. */
async function searchBytes(client: Client, request: estypes.SearchRequest): Promise<Buffer> {
  const answer = await client.search(request, { asStream: true, meta: true });
  // The client reports errors of the stream to its reader, also after a status of 200.
  const chunks: Buffer[] = await (answer.body as unknown as Readable).toArray().catch((error: Error) => {
    throw new errors.ConnectionError(error.message);
  });
  const body = Buffer.concat(chunks);
  if (answer.statusCode < 300) return body;
  throw new errors.ResponseError({ ...answer, body: body.toString() });
}
