import type Router from "@koa/router";
import { PageError } from "@tranche/http/errors/page-error";
import type { Middleware } from "koa";
import { bytesOf } from "@tranche/http/server/bytes-body";
import { BadMapping } from "@tranche/intake/mapping/bad-mapping";
import type { Vocabulary } from "@tranche/intake/mapping/rows";
import type { Question } from "@tranche/intake/mapping/schema";
import { unpacked } from "@tranche/intake/sources/input";
import { SourceError, type SourceLocation } from "@tranche/intake/sources/item";
import { storedMapping } from "@tranche/intake/sources/stored-mapping";
import { answersIn, checkAnswers } from "@tranche/intake/suggest/answers";
import { type Beginning, beginningOf } from "@tranche/intake/suggest/beginning";
import { type Kind, KINDS } from "@tranche/intake/suggest/kind";
import { previewOf } from "@tranche/intake/suggest/preview";
import { type Profile, profileOf } from "@tranche/intake/suggest/profile";
import { MEANINGS } from "@tranche/intake/suggest/roles";
import { sampleOf } from "@tranche/intake/suggest/sample";
import type { ColumnReport } from "@tranche/intake/suggest/reports";
import { areRecords, suggestionFor } from "@tranche/intake/suggest/suggested";
import { vocabularyToday } from "@tranche/intake/suggest/vocabulary";
import { WrongAnswer } from "@tranche/intake/suggest/wrong-answer";
import { createMappingStore, mappingNameOf } from "@tranche/shared/accounts/mapping-store";
import { PAGES_API } from "../access/guard.ts";
import type { OperatorRouteParts } from "./parts.ts";

/** Its body is the beginning of a file, which a slow line may send for minutes. */
export const LOOK_PATH = `${PAGES_API}/files/look`;

/** Bytes of a file that the page sends to see what is in it; of one JSON object this is the whole file. */
const MAX_BEGINNING = 4 * 1024 * 1024;
const SHOWN_ENTRIES = 50;

/** The beginning of a file as it would be read. */
export type FileView = { preview: PreviewView } & (
  | { as: "records" }
  /** By a stored mapping, `name@version`. */
  | { as: "mapped"; map: string }
  | {
      as: "suggested";
      kind: Kind;
      kinds: readonly Kind[];
      /** The nested list of JSON whose items are the rows, and those that could be. */
      list: string | null;
      lists: string[];
      columns: ColumnReport[];
      /** The possible meanings of a column. */
      meanings: Readonly<Record<string, string>>;
      questions: Question[];
      notes: string[];
      mapping: object;
    }
);

export type PreviewView = {
  rows: number;
  good: number;
  /** The first ones, in the order of the file. */
  entries: ({ at: SourceLocation } & ({ listed: string[] } | { refused: string }))[];
  lines: string[];
  /** Amounts are in the currency of the file, because its rate is open. */
  is_rate_open: boolean;
};

/** The meaning of the beginning of a file, before anything is ingested. Answers and corrections are those of `ops ingest --suggest-map`. */
export function addFiles(
  router: Router,
  { installation, dealTypes }: OperatorRouteParts,
  /** Limits the time from when the bytes are there. */
  inTime: Middleware,
): void {
  const mappings = createMappingStore(installation.client, installation.names.accounts);
  const arrived: Middleware = async (ctx, next) => {
    ctx.state["bytes"] = await bytesOf(ctx, MAX_BEGINNING);
    return next();
  };

  router.post("/files/look", arrived, inTime, async (ctx) => {
    const query = new URLSearchParams(ctx.querystring);
    const bytes = ctx.state["bytes"] as Buffer;
    const isCut = query.get("cut") === "true";
    const vocabulary = vocabularyToday(dealTypes);
    const map = query.get("map");
    try {
      const beginning = await beginningOf(unpacked(inPieces(bytes)), { isCut, most: MAX_BEGINNING });
      const view: FileView =
        map === null ? await suggested(beginning, vocabulary, query.getAll("answer")) : await mapped(beginning, map);
      ctx.body = { data: view };
    } catch (error) {
      if (error instanceof SourceError)
        throw new PageError("invalid_request", `The file ${error.message}.`.replace(/\.\.$/, "."));
      if (error instanceof BadMapping) throw new PageError("invalid_request", error.message, { parameter: "map" });
      if (error instanceof WrongAnswer) throw new PageError("invalid_request", error.message, { parameter: "answer" });
      throw error;
    }

    async function mapped(beginning: Beginning, text: string): Promise<FileView> {
      const asked = mappingNameOf(text);
      const found = asked && (await storedMapping(mappings, asked));
      if (!found) throw new BadMapping(`There is no stored mapping '${text.slice(0, 80)}'.`);
      const { named, mapping } = found;
      const profile = await profileOf(beginning, mapping, vocabulary);
      return { as: "mapped", map: named, preview: shown({ ...profile, isRateOpen: false }) };
    }
  });
}

async function suggested(beginning: Beginning, vocabulary: Vocabulary, given: readonly string[]): Promise<FileView> {
  const answers = answersIn(given);
  if (areRecords(await sampleOf(beginning, answers["encoding"])))
    return {
      as: "records",
      preview: shown({ ...(await profileOf(beginning, undefined, vocabulary)), isRateOpen: false }),
    };
  const suggestion = await suggestionFor(beginning, vocabulary, answers);
  checkAnswers(suggestion, answers);
  const { kind, columns, lists, questions, notes, mapping, sample } = suggestion;
  const preview = shown(await previewOf(suggestion, beginning, vocabulary));
  return {
    as: "suggested",
    kind,
    kinds: KINDS,
    list: sample.path ?? null,
    lists,
    columns,
    meanings: MEANINGS,
    questions,
    notes,
    mapping,
    preview,
  };
}

const shown = ({ rows, good, entries, lines, isRateOpen }: Profile & { isRateOpen: boolean }): PreviewView => ({
  rows,
  good,
  entries: entries.slice(0, SHOWN_ENTRIES),
  lines,
  is_rate_open: isRateOpen,
});

/** No more is unpacked and looked at than is needed. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

const PIECE = 64 * 1024;
