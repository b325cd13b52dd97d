/** Whether a signal raises or lowers the score of its company. */
export type Polarity = "positive" | "negative";
/** Derived from rounds, stacks and headcounts, or ingested as a record of its own. */
export type SignalSource = "derived" | "ingested";

interface Rule {
  label: string;
  /** One sentence for users of the API. */
  definition: string;
  polarity: Polarity;
  /** 0 to 100: the points that the signal alone gives (or, negative, takes) on its first day at full strength. */
  weight: number;
  /** Days in which its share halves; null when it does not fade. */
  halfLifeDays: number | null;
  /** Days that it is live; null when it is live while it is true. */
  lifeDays: number | null;
  source: SignalSource;
  /** Raised when the rule is changed; the meaning of a key never changes. */
  ruleVersion: number;
}

type Numbers = [weight: number, halfLifeDays: number | null, lifeDays: number | null];

function rule(source: SignalSource, polarity: Polarity, label: string, numbers: Numbers, definition: string): Rule {
  const [weight, halfLifeDays, lifeDays] = numbers;
  return { label, definition, polarity, weight, halfLifeDays, lifeDays, source, ruleVersion: 1 };
}

const derived = (label: string, numbers: Numbers, definition: string): Rule =>
  rule("derived", "positive", label, numbers, definition);
const ingested = (label: string, numbers: Numbers, definition: string): Rule =>
  rule("ingested", "positive", label, numbers, definition);
const setback = (label: string, numbers: Numbers, definition: string): Rule =>
  rule("ingested", "negative", label, numbers, definition);

const RULES = {
  just_raised: derived("Just raised", [60, 30, 90], "The newest funding round was announced less than 90 days ago."),
  large_round: derived("Large round", [45, 60, 180], "The newest funding round is of 50 million US dollars or more."),
  first_round: derived("First round", [35, 60, 180], "The newest funding round is the only one known."),
  stage_advanced: derived(
    "Stage advanced",
    [40, 60, 180],
    "The newest funding round is of a later stage than the last staged round before it, such as series B after series A.",
  ),
  fast_follow_on: derived(
    "Fast follow-on",
    [40, 90, 270],
    "The newest funding round is equity and came 1 to 365 days after the equity round before it.",
  ),
  runway_window: derived(
    "Runway window",
    [30, null, null],
    "The newest equity round was 450 to 730 days ago, so the next one is likely to be in preparation.",
  ),
  new_lead_investor: derived(
    "New lead investor",
    [25, 90, 180],
    "A lead investor of the newest funding round had no part in any round before it.",
  ),
  debt_or_grant_raised: derived("Debt or grant raised", [30, 60, 180], "The newest funding round is debt or a grant."),
  funding_milestone: derived(
    "Funding milestone",
    [30, 90, 180],
    "With the newest funding round the total raised passed 10, 50, 100 or 500 million US dollars.",
  ),
  modern_stack: derived(
    "Modern stack",
    [20, null, null],
    "At least 3 technologies of at least 2 groups of the modern list (languages, frameworks, data, infrastructure, observability) are in use.",
  ),
  ai_stack: derived("AI stack", [20, null, null], "At least 1 technology tagged AI or machine learning is in use."),
  tech_adopted: derived(
    "Technology adopted",
    [30, 60, 120],
    "A technology appeared in the stack between two observations, less than 120 days ago, and is still there.",
  ),
  tech_dropped: derived(
    "Technology dropped",
    [25, 60, 120],
    "A technology vanished from the stack between two observations, less than 120 days ago, and is still gone.",
  ),
  headcount_growth: derived(
    "Headcount growth",
    [45, 90, 180],
    "The headcount grew by at least 20 percent and at least 5 people over 180 days.",
  ),
  headcount_decline: rule(
    "derived",
    "negative",
    "Headcount decline",
    [40, 90, 180],
    "The headcount fell by at least 20 percent and at least 5 people over 180 days.",
  ),
  hiring: ingested("Hiring", [20, 30, 45], "The company has open positions."),
  hiring_surge: ingested("Hiring surge", [45, 60, 120], "The company opened unusually many positions at once."),
  leadership_hire: ingested("Leadership hire", [40, 90, 180], "A new executive joined the company."),
  leadership_exit: ingested("Leadership exit", [30, 90, 180], "An executive left the company."),
  product_launch: ingested("Product launch", [30, 45, 120], "The company launched a product."),
  partnership: ingested("Partnership", [20, 45, 120], "The company announced a partnership."),
  new_customer: ingested("New customer", [20, 45, 120], "The company announced a new customer."),
  office_expansion: ingested("Office expansion", [35, 60, 180], "The company opened or enlarged an office."),
  award: ingested("Award", [10, 30, 90], "The company won an award."),
  acquisition_made: ingested("Acquisition made", [35, 90, 180], "The company acquired another one."),
  acquired: ingested("Acquired", [0, null, 365], "The company was acquired. It does not change the score."),
  ipo: ingested("IPO", [0, null, 365], "The company went public. It does not change the score."),
  layoffs: setback("Layoffs", [50, 60, 180], "The company laid people off."),
  office_closure: setback("Office closure", [30, 60, 180], "The company closed an office."),
  legal_issue: setback("Legal issue", [25, 60, 180], "The company is party to a lawsuit or an official inquiry."),
  security_incident: setback(
    "Security incident",
    [25, 60, 180],
    "The company had a breach or another security incident.",
  ),
};

export type SignalKey = keyof typeof RULES;

/** A row of the catalogue: the meaning of a signal and how it counts. */
export interface SignalDefinition extends Readonly<Rule> {
  readonly key: SignalKey;
}

/** Every signal, sorted by key. The one table: everything else that is said about signals is taken from it. */
export const CATALOGUE: readonly SignalDefinition[] = Object.freeze(
  (Object.keys(RULES) as SignalKey[]).sort().map((key) => Object.freeze({ key, ...RULES[key] })),
);

/** All keys, sorted. */
export const SIGNAL_KEYS: readonly SignalKey[] = Object.freeze(CATALOGUE.map((row) => row.key));

/** The keys that records of type `signal` may have, sorted. */
export const INGESTED_KEYS: readonly SignalKey[] = Object.freeze(
  CATALOGUE.filter((row) => row.source === "ingested").map((row) => row.key),
);

const BY_KEY: ReadonlyMap<string, SignalDefinition> = new Map(CATALOGUE.map((row) => [row.key, row]));

/** Whether `text` is a key of the catalogue. */
export function isSignalKey(text: string): text is SignalKey {
  return BY_KEY.has(text);
}

/** The catalogue's row of a key. */
export function signalDefinition(key: SignalKey): SignalDefinition {
  const row = BY_KEY.get(key);
  if (!row) throw new Error(`Unknown signal key '${key}'. Known keys: ${SIGNAL_KEYS.join(", ")}.`);
  return row;
}
