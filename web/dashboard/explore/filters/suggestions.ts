import { requestJson } from "../../../ui/request.ts";
import { API } from "../../session.ts";
import { count, countryName } from "../../format.ts";
import type { Row } from "../api-rows.ts";
import { shownWord } from "../words.ts";

/** Something to choose: what the API gets, and what people see. */
export type Suggestion = { value: string; label: string; detail?: string };

/** Where a field's suggestions come from. */
export type Source = {
  /** All suggestions are known from the start, so they are shown before anything is typed. */
  closed: boolean;
  /** The API knows more words than it suggests, so a text can be sent as it was typed. */
  free: boolean;
  suggest: (text: string, signal: AbortSignal) => Promise<Suggestion[]>;
};

type Vocabulary = {
  data: {
    key: string;
    name?: string;
    label?: string;
    definition?: string;
    round_count?: number;
    company_count?: number;
  }[];
};
type Found = { data: { id: string | null; key: string; name: string; country: string | null; rounds: number }[] };

const SHOWN = 50;
/** The names of what was chosen, for as long as the tab is open. Addresses have only ids. */
const names = new Map<string, string>();
const found = new Map<string, Suggestion[]>();
const vocabularies = new Map<string, Promise<Suggestion[]>>();

type Named = { id: string; name: string };

/** Learns the names that rows show, for filters by id that came with an address. */
export function learnNames(rows: readonly Row[]): void {
  for (const row of rows) {
    const shown: Partial<Named & { company: Named; investors: readonly Named[] }> = row;
    for (const { id, name } of [shown, shown.company, ...(shown.investors ?? [])].filter((one) => one !== undefined))
      if (id !== undefined && name !== undefined) names.set(id, name);
  }
}

/** The shown text for an item of a field. */
export function labelOf(field: string, value: string): string {
  if (field === "country") return countryName(value);
  if (field === "signal" || field === "deal_type" || field === "deal_types")
    return names.get(value) ?? shownWord(value);
  return names.get(value) ?? value;
}

/** A vocabulary is read once, when somebody first needs it: reading it costs one request. */
function vocabulary(path: string): Source {
  return {
    closed: true,
    free: true,
    async suggest(text) {
      let known = vocabularies.get(path);
      if (known === undefined) {
        known = readVocabulary(path);
        vocabularies.set(path, known);
        known.catch(() => vocabularies.delete(path));
      }
      return matching(await known, text).slice(0, SHOWN);
    },
  };
}

async function readVocabulary(path: string): Promise<Suggestion[]> {
  const { body } = await requestJson<Vocabulary>(`${API}/v1/${path}`);
  return body.data.map(({ key, name, label, definition, round_count: rounds, company_count: companies }) => {
    const shown = label ?? name ?? key;
    names.set(key, shown);
    const figures = rounds === undefined ? companies && `${count(companies)} companies` : `${count(rounds)} rounds`;
    const detail = definition ?? figures;
    return { value: key, label: shown, ...(detail ? { detail } : {}) };
  });
}

/** The meaning of a signal. Reading it costs one request, once. */
export async function signalMeanings(): Promise<ReadonlyMap<string, string>> {
  const all = await SOURCES["signal"]!.suggest("", new AbortController().signal);
  return new Map(all.map(({ value, detail = "" }) => [value, detail]));
}

/** Suggestions whose name or key has the text in it: first the text itself, then those that begin with it. */
export function matching(all: readonly Suggestion[], text: string): Suggestion[] {
  const wanted = plain(text);
  const rank = ({ label, value }: Suggestion) => {
    const texts = [plain(label), plain(value)].filter((name) => name.includes(wanted));
    if (texts.length === 0) return undefined;
    return texts.includes(wanted) ? 0 : texts.some((name) => name.startsWith(wanted)) ? 1 : 2;
  };
  return all
    .map((suggestion) => ({ suggestion, rank: rank(suggestion) }))
    .filter((one) => one.rank !== undefined)
    .toSorted((a, b) => a.rank! - b.rank!)
    .map((one) => one.suggestion);
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim();

/** Each search costs a request, so what was found stays. */
function search(type: "company" | "investor" | "city"): Source {
  return {
    closed: false,
    free: true,
    async suggest(text, signal) {
      if (!/[\p{L}\p{N}]/u.test(text) || Array.from(text).length > 100) return [];
      const path = `/v1/search?types=${type}&limit=10&q=${encodeURIComponent(text.toWellFormed())}`;
      const known = found.get(path);
      if (known) return known;
      const { body } = await requestJson<Found>(API + path, { signal });
      const suggestions = body.data.map(({ id, key, name, country, rounds }) => {
        const value = id ?? key;
        names.set(value, name);
        const detail = [country && countryName(country), `${count(rounds)} rounds`].filter(Boolean).join(" · ");
        return { value, label: name, detail };
      });
      found.set(path, suggestions);
      return suggestions;
    },
  };
}

const dealTypes = vocabulary("deal-types");
const investors = search("investor");

/** The sources of the list fields. Fields that are not here have no suggestions. */
export const SOURCES: Readonly<Record<string, Source>> = {
  country: vocabulary("countries"),
  deal_type: dealTypes,
  deal_types: dealTypes,
  signal: { ...vocabulary("signal-catalog"), free: false },
  category: { ...vocabulary("categories"), closed: false },
  tech_stack: { ...vocabulary("technologies"), closed: false },
  city: search("city"),
  companies: search("company"),
  investors,
  lead_investors: investors,
};
