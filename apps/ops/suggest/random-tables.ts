import iconv from "iconv-lite";

/** A round as it is, whatever notation a table writes it in. */
export type TrueRound = {
  company: string;
  date: { year: number; month: number; day: number };
  /** In whole units of the currency; null when it is not disclosed. */
  amount: number | null;
  currency: string;
  type: string;
  investors: string[];
  country: string;
  city: string;
};

/** A table in a random notation, what it says, and the right answers to questions about it. */
export type RandomTable = {
  bytes: Buffer;
  rounds: TrueRound[];
  /** The columns of the facts that the table has. */
  columns: Partial<
    Record<"company" | "date" | "amount" | "type" | "investors" | "country" | "city" | "currency", string>
  >;
  columnCount: number;
  answers: Record<string, string>;
  /** Days become the first day of what the notation says. */
  precision: "day" | "month" | "quarter" | "year";
  notation: string;
};

export type Random = {
  below: (limit: number) => number;
  pick: <T>(from: readonly T[]) => T;
  chance: (share: number) => boolean;
};

/** Numbers that a seed decides. */
function randomOf(seed: number): Random {
  let state = seed + 0x6d2b79f5;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (from) => from[below(from.length)]!, chance: (share) => next() < share };
}

type Language = "en" | "de" | "fr" | "es";
type Script = "latin" | "western" | "cyrillic" | "chinese";

const NAMES: Record<Script, { companies: string[]; investors: string[]; cities: string[] }> = {
  latin: {
    companies: [
      "Alpha One",
      "Beta Labs",
      "Gamma Three",
      "Delta & Sons",
      "Epsilon",
      "Zeta Six",
      "Nil",
      "Eta Pay",
      "Theta Bio",
      "Iota Cloud",
      "Kappa Robotics",
      "Lambda.io",
    ],
    investors: ["Red Fund", "Blue Ventures", "Green Partners", "Angel Group", "North Capital", "Ann Lee", "Big Bank"],
    cities: ["Berlin", "Paris", "Madrid", "Boston", "Lagos", "London"],
  },
  western: {
    companies: [
      "Kühlwerk GmbH",
      "Ölmühle AG",
      "Crème Brûlée SAS",
      "Niño Pay",
      "Grün & Söhne",
      "Étoile Santé",
      "Bäckerei Groß",
      "Café Noir",
      "Müller Optik",
      "Señal Azul",
    ],
    investors: ["Rhein Partner", "Fonds Développement", "Süd Kapital", "Isar Fonds", "Compañía Uno", "Alpen Kapital"],
    cities: ["München", "Zürich", "Köln", "Málaga", "Besançon", "Genève"],
  },
  cyrillic: {
    companies: ["Синий кит", "Зелёный дом", "Северный ветер", "Быстрая почта", "Умная школа", "Новая аптека"],
    investors: ["Волга Капитал", "Северный фонд", "Первый инвестор", "Уральские ангелы"],
    cities: ["Москва", "Казань", "Томск", "Самара"],
  },
  chinese: {
    companies: ["蓝鲸科技", "小鹿出行", "云海医疗", "青山教育", "快送物流", "智能汽车"],
    investors: ["红杉树资本", "长江创投", "青山资本", "北山基金"],
    cities: ["北京", "上海", "广东", "深圳"],
  },
};

const COUNTRIES: readonly { code: string; en: string; de: string; fr: string; es: string }[] = [
  { code: "DE", en: "Germany", de: "Deutschland", fr: "Allemagne", es: "Alemania" },
  { code: "FR", en: "France", de: "Frankreich", fr: "France", es: "Francia" },
  { code: "US", en: "United States", de: "Vereinigte Staaten", fr: "États-Unis", es: "Estados Unidos" },
  { code: "NA", en: "Namibia", de: "Namibia", fr: "Namibie", es: "Namibia" },
  { code: "GB", en: "United Kingdom", de: "Vereinigtes Königreich", fr: "Royaume-Uni", es: "Reino Unido" },
  { code: "IN", en: "India", de: "Indien", fr: "Inde", es: "India" },
];

const TYPES: readonly (readonly [label: string, type: string])[] = [
  ["Seed", "seed"],
  ["Series A", "series_a"],
  ["Series B", "series_b"],
  ["Pre-Seed", "pre_seed"],
  ["Grant", "grant"],
  ["Debt Financing", "debt_financing"],
];

const HEADERS: Record<
  Language,
  Record<"company" | "date" | "amount" | "type" | "investors" | "country" | "city" | "currency", string[]>
> = {
  en: {
    company: [
      "Company",
      "Startup",
      "company_name",
      "Organization Name",
      "Name",
      "Startup Name",
      "companyName",
      "Company Name",
      "Portfolio Company",
      "Company/Brand",
    ],
    date: [
      "Date",
      "Announced Date",
      "funded_at",
      "Deal date",
      "Announced On",
      "roundDate",
      "Date of funding",
      "announced",
    ],
    amount: [
      "Amount",
      "Raised",
      "Deal size",
      "amount_raised",
      "Funding amount",
      "Money Raised",
      "Round size",
      "raisedAmount",
    ],
    type: ["Round", "Stage", "Series", "Funding Round", "round_type", "Funding Type"],
    investors: ["Investors", "Investor Names", "investors", "All investors", "Select Investors"],
    country: ["Country", "HQ Country", "company_country", "country"],
    city: ["City", "HQ City", "Location", "city", "Headquarters"],
    currency: ["Currency", "ccy", "Amount Currency"],
  },
  de: {
    company: ["Firma", "Unternehmen", "Startup", "Firmenname", "Firma (lt. HR)"],
    date: ["Datum", "Bekannt am", "Ankündigung"],
    amount: ["Betrag", "Volumen", "Summe"],
    type: ["Runde", "Phase", "Finanzierungsrunde"],
    investors: ["Investoren", "Geldgeber"],
    country: ["Land"],
    city: ["Ort", "Stadt", "Sitz"],
    currency: ["Währung"],
  },
  fr: {
    company: ["Société", "Entreprise", "Startup", "Nom de la société"],
    date: ["Date", "Date d'annonce"],
    amount: ["Montant"],
    type: ["Tour", "Série"],
    investors: ["Investisseurs"],
    country: ["Pays"],
    city: ["Ville"],
    currency: ["Devise"],
  },
  es: {
    company: ["Empresa", "Startup", "Nombre de la empresa"],
    date: ["Fecha", "Fecha de anuncio"],
    amount: ["Monto", "Importe"],
    type: ["Ronda", "Serie"],
    investors: ["Inversores"],
    country: ["País"],
    city: ["Ciudad"],
    currency: ["Moneda"],
  },
};

const EN_MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DE_MONTHS = [
  "Januar",
  "Februar",
  "März",
  "April",
  "Mai",
  "Juni",
  "Juli",
  "August",
  "September",
  "Oktober",
  "November",
  "Dezember",
];

type Day = TrueRound["date"];
const two = (value: number) => String(value).padStart(2, "0");
const iso = ({ year, month, day }: Day) => `${year}-${two(month)}-${two(day)}`;
const utc = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day);
const quarter = ({ month }: Day) => Math.ceil(month / 3);

type DateNotation = {
  name: string;
  write: (date: Day) => string;
  precision: RandomTable["precision"];
  order?: "day_first" | "month_first" | "year_first";
};
const notation = (
  name: string,
  write: DateNotation["write"],
  order?: DateNotation["order"],
  precision: DateNotation["precision"] = "day",
): DateNotation => ({ name, write, precision, ...(order ? { order } : {}) });

function ordered(random: Random): DateNotation {
  const separator = random.pick(["/", "-", ".", "/"]);
  const padded = random.chance(0.6);
  const short = random.chance(0.2);
  const monthFirst = random.chance(0.4);
  const time = random.chance(0.15) ? random.pick([" 12:05", " 08:30:00", " 9:05 PM"]) : "";
  const part = (value: number) => (padded ? two(value) : String(value));
  return notation(
    `${monthFirst ? "M-D" : "D-M"}-${short ? "yy" : "yyyy"} ${separator}${time}`,
    ({ year, month, day }) =>
      [
        ...(monthFirst ? [part(month), part(day)] : [part(day), part(month)]),
        short ? two(year % 100) : String(year),
      ].join(separator) + time,
    monthFirst ? "month_first" : "day_first",
  );
}

const DATES: readonly DateNotation[] = [
  notation("iso", iso),
  notation("js", (date) => `${iso(date)}T12:05:09.000Z`),
  notation("python", (date) => `${iso(date)}T12:05:09.123456`),
  notation("postgres", (date) => `${iso(date)} 12:05:09+00:00`),
  notation("bigquery", (date) => `${iso(date)} 12:05:09 UTC`),
  notation("minutes", (date) => `${iso(date)} 12:05`),
  notation("slashes", ({ year, month, day }) => `${year}/${month}/${day}`),
  notation("dots", ({ year, month, day }) => `${year}.${month}.${day}`),
  notation(
    "two-digit years first",
    ({ year, month, day }) => `${two(year % 100)}-${two(month)}-${two(day)}`,
    "year_first",
  ),
  notation("compact", (date) => iso(date).replaceAll("-", "")),
  notation("excel", (date) => String(utc(date) / 86_400_000 + 25_569)),
  notation("excel time", (date) => `${utc(date) / 86_400_000 + 25_569}.5`),
  notation("unix", (date) => String(utc(date) / 1000 + 3600)),
  notation("unix_ms", (date) => String(utc(date) + 3_600_000)),
  notation("US long", ({ year, month, day }) => `${EN_MONTHS[month - 1]} ${day}, ${year}`),
  notation("US short", ({ year, month, day }) => `${EN_MONTHS[month - 1]!.slice(0, 3)} ${day}, ${year}`),
  notation("UK short", ({ year, month, day }) => `${day} ${EN_MONTHS[month - 1]!.slice(0, 3)} ${year}`),
  notation(
    "Excel short",
    ({ year, month, day }) => `${two(day)}-${EN_MONTHS[month - 1]!.slice(0, 3)}-${two(year % 100)}`,
  ),
  notation(
    "Oracle",
    ({ year, month, day }) => `${two(day)}-${EN_MONTHS[month - 1]!.slice(0, 3).toUpperCase()}-${year}`,
  ),
  notation(
    "weekday",
    (date) =>
      `${["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(utc(date)).getUTCDay()]}, ${EN_MONTHS[date.month - 1]!.slice(0, 3)} ${date.day}, ${date.year}`,
  ),
  notation("JS Date", (date) => new Date(utc(date)).toUTCString()),
  notation(
    "ordinal",
    ({ year, month, day }) =>
      `${EN_MONTHS[month - 1]} ${day}${["th", "st", "nd", "rd"][day % 10 > 3 || (day > 10 && day < 14) ? 0 : day % 10]}, ${year}`,
  ),
  notation("German", ({ year, month, day }) => `${day}. ${DE_MONTHS[month - 1]} ${year}`),
  notation("Chinese", ({ year, month, day }) => `${year}年${month}月${day}日`),
  notation("month", ({ year, month }) => `${year}-${two(month)}`, undefined, "month"),
  notation("month compact", ({ year, month }) => `${year}${two(month)}`, undefined, "month"),
  notation("month slash", ({ year, month }) => `${two(month)}/${year}`, undefined, "month"),
  notation("month name", ({ year, month }) => `${EN_MONTHS[month - 1]} ${year}`, undefined, "month"),
  notation(
    "Excel month",
    ({ year, month }) => `${EN_MONTHS[month - 1]!.slice(0, 3)}-${two(year % 100)}`,
    undefined,
    "month",
  ),
  notation("quarter", (date) => `Q${quarter(date)} ${date.year}`, undefined, "quarter"),
  notation("quarter behind", (date) => `${date.year}-Q${quarter(date)}`, undefined, "quarter"),
  notation("year", ({ year }) => String(year), undefined, "year"),
  notation("year of pandas", ({ year }) => `${year}.0`, undefined, "year"),
];
/** Whole numbers are dates only in a column whose name says so, and a Chinese one needs its characters. */
const NEEDS_UNICODE = new Set(["Chinese"]);

const UNITS: readonly { factor: number; named: string[]; written: string[]; answer: string }[] = [
  { factor: 1, named: [""], written: [""], answer: "ones" },
  { factor: 1e3, named: ["k", "thousands", "in thousands"], written: ["k", "K"], answer: "thousands" },
  {
    factor: 1e6,
    named: ["m", "mm", "millions", "in millions", "Mio.", "mn"],
    written: ["m", "M", " million", " Mio.", "MM"],
    answer: "millions",
  },
  { factor: 1e7, named: ["crores", "in Crores", "Cr"], written: [" crore", " Cr"], answer: "crores" },
];
const SYMBOLS: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£", INR: "₹" };
const EMPTY = ["", "", "N/A", "-", "undisclosed", "n/a", "k.A."];
const SEPARATORS = [", ", "; ", ";", " | ", "|", "\n", " / "];

/** Other columns of tables: none of them is a fact of a round. */
const EXTRA: readonly (readonly [name: string, write: (random: Random, row: number) => string])[] = [
  ["Year Founded", (random) => String(1995 + random.below(25))],
  ["Valuation", (random) => String(1_000_000 * (1 + random.below(500)))],
  ["Notes", (random) => random.pick(["", "see news", "follow up"])],
  ["Employees", (random) => String(1 + random.below(900))],
  ["Last Updated", (random) => `2025-0${1 + random.below(9)}-1${random.below(9)}`],
  ["#", (_, row) => String(row + 1)],
  ["Number of investors", (random) => String(random.below(9))],
  ["Industry", (random) => random.pick(["Fintech", "Health", "Energy"])],
  ["Website", (random) => `https://www.site${random.below(1000)}.example/`],
  ["Equity %", (random) => `${1 + random.below(30)}%`],
  ["CEO", (random) => random.pick(["Ann Lee", "Bo Chen", "Cy Diaz"])],
  ["Revenue (USD)", (random) => String(1000 * random.below(9000))],
];

export function randomTable(seed: number): RandomTable {
  const random = randomOf(seed);
  const script = random.pick<Script>(["latin", "latin", "western", "western", "cyrillic", "chinese"]);
  const language: Language =
    script === "western"
      ? random.pick(["de", "fr", "es", "en"])
      : random.chance(0.1)
        ? random.pick(["de", "fr", "es"])
        : "en";
  const encoding = encodingFor(random, script, language);
  const dates = dateNotation(random, encoding);
  const currency = random.pick(["USD", "USD", "USD", "USD", "EUR", "GBP", "INR"]);
  const rounds = Array.from({ length: 1 + random.below(random.pick([5, 40])) }, () =>
    trueRound(random, script, currency),
  );
  const amounts = amountNotation(random, currency, encoding, language);
  if (amounts.perRow) for (const round of rounds) round.currency = random.pick(["USD", "EUR", "GBP"]);
  const empty = random.pick(EMPTY);
  const separator = random.pick(SEPARATORS);
  const codes = random.chance(0.4);
  const name = (fact: keyof (typeof HEADERS)["en"]) => random.pick(HEADERS[language][fact]);

  const columns: RandomTable["columns"] = { company: name("company") };
  const cells: Cell[] = [{ header: columns.company!, write: ({ company }) => company }];
  const add = (fact: keyof RandomTable["columns"], header: string, write: (round: TrueRound) => string) => {
    if (cells.some((each) => each.header === header)) return;
    columns[fact] = header;
    cells.push({ header, write });
  };
  if (random.chance(0.95)) add("date", dateHeader(random, name("date"), dates), ({ date }) => dates.write(date));
  if (random.chance(0.9))
    add("amount", amounts.header(name("amount")), (round) => (round.amount === null ? empty : amounts.write(round)));
  if (amounts.perRow && columns.amount) add("currency", name("currency"), (round) => round.currency);
  if (random.chance(0.8)) add("type", name("type"), ({ type }) => TYPES.find(([, key]) => key === type)![0]);
  if (random.chance(0.8)) add("investors", name("investors"), ({ investors }) => investors.join(separator));
  if (random.chance(0.7))
    add("country", name("country"), ({ country }) =>
      codes ? country : COUNTRIES.find(({ code }) => code === country)![language],
    );
  if (random.chance(0.6)) add("city", name("city"), ({ city }) => city);
  for (const [header, write] of EXTRA)
    if (random.chance(0.2)) cells.push({ header, write: (_, row) => write(random, row) });
  shuffle(random, cells);

  const written =
    encoding === "utf8" && random.chance(0.4)
      ? asJson(random, cells, rounds, columns.investors)
      : asCsv(random, cells, rounds, encoding);
  return {
    bytes: written.bytes,
    rounds,
    columns,
    columnCount: cells.length,
    precision: dates.precision,
    answers: {
      encoding: encoding.startsWith("utf") ? "utf8" : encoding,
      ...(dates.order ? { date_order: dates.order } : {}),
      amount_unit: amounts.answer,
      amount_currency: currency,
      amount_decimal: amounts.decimal === "," ? "comma" : "point",
      rates: ["EUR=2", "GBP=3", "INR=0.5"].join(","),
    },
    notation: `${encoding}, ${written.name}, ${dates.name}, ${amounts.name}, ${language}, list ${JSON.stringify(separator)}`,
  };
}

type Cell = { header: string; write: (round: TrueRound, row: number) => string };

function asCsv(random: Random, cells: readonly Cell[], rounds: readonly TrueRound[], encoding: string) {
  const delimiter = random.pick([",", ",", ";", "\t", "|"]);
  const lineEnd = random.pick(["\n", "\r\n"]);
  const quoted = (text: string) =>
    /[",;|\t\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [
    cells.map(({ header }) => header),
    ...rounds.map((round, row) => cells.map(({ write }) => write(round, row))),
  ];
  const text = lines.map((line) => line.map(quoted).join(delimiter)).join(lineEnd) + lineEnd;
  const bytes =
    encoding === "utf8 with mark"
      ? Buffer.from(`\ufeff${text}`)
      : encoding === "utf16"
        ? iconv.encode(text, "utf16", { addBOM: true })
        : iconv.encode(text, encoding);
  return { bytes, name: JSON.stringify(delimiter) };
}

/** An array or lines; investors are a list, and whole numbers are numbers. */
function asJson(random: Random, cells: readonly Cell[], rounds: readonly TrueRound[], investors: string | undefined) {
  const [asArray, asNumbers] = [random.chance(0.5), random.chance(0.5)];
  const valueOf = (text: string) =>
    asNumbers && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : text === "" ? null : text;
  const rows = rounds.map((round, row) =>
    Object.fromEntries(
      cells.map(({ header, write }) => [header, header === investors ? round.investors : valueOf(write(round, row))]),
    ),
  );
  const text = asArray ? JSON.stringify(rows, null, 1) : rows.map((row) => JSON.stringify(row)).join("\n");
  return { bytes: Buffer.from(text), name: asArray ? "a JSON array" : "NDJSON" };
}

/** US dollars for one unit, as the answers say. */
export const RATES: Readonly<Record<string, number>> = { USD: 1, EUR: 2, GBP: 3, INR: 0.5 };

function encodingFor(random: Random, script: Script, language: Language): string {
  if (random.chance(0.6)) return random.pick(["utf8", "utf8", "utf8 with mark", "utf16"]);
  if (script === "cyrillic") return language === "en" ? "windows-1251" : "utf8";
  if (script === "chinese") return language === "en" ? "gb18030" : "utf8";
  return "windows-1252";
}

function dateNotation(random: Random, encoding: string): DateNotation {
  if (random.chance(0.4)) return ordered(random);
  const found = random.pick(DATES);
  return NEEDS_UNICODE.has(found.name) && !encoding.startsWith("utf") ? DATES[0]! : found;
}

function dateHeader(random: Random, name: string, { precision, order }: DateNotation): string {
  if (precision === "year" && random.chance(0.5)) return random.pick(["Year", "Funding year"]);
  if (order === "day_first" && random.chance(0.1)) return `${name} (dd/mm/yyyy)`;
  return name;
}

function trueRound(random: Random, script: Script, currency: string): TrueRound {
  const names = NAMES[script];
  const investors = new Set(Array.from({ length: random.below(4) }, () => random.pick(names.investors)));
  return {
    company: random.pick(names.companies),
    date: { year: 2009 + random.below(16), month: 1 + random.below(12), day: 1 + random.below(28) },
    amount: random.chance(0.12) ? null : 1000 * (200 + random.below(random.pick([2000, 90_000]))),
    currency,
    type: random.pick(TYPES)[1],
    investors: [...investors],
    country: random.pick(COUNTRIES).code,
    city: random.pick(names.cities),
  };
}

function amountNotation(random: Random, currency: string, encoding: string, language: Language) {
  const hasSymbol =
    encoding.startsWith("utf") || currency === "USD" || (currency !== "INR" && encoding === "windows-1252");
  const unit = random.pick([UNITS[0]!, UNITS[0]!, UNITS[1]!, UNITS[2]!, UNITS[2]!, UNITS[3]!]);
  const unitIn = unit.factor === 1 ? "nowhere" : random.pick(["name", "name", "text", "nowhere"]);
  const perRow = random.chance(0.1);
  const currencyIn = perRow
    ? "nowhere"
    : random.pick(["name", "name", "text", currency === "USD" && language === "en" ? "nowhere" : "name"]);
  const decimal: "." | "," = random.chance(language === "en" ? 0.1 : 0.6) ? "," : ".";
  const group =
    unitIn === "nowhere" && unit.factor === 1 && random.chance(0.5)
      ? decimal === ","
        ? random.pick([".", " ", "'"])
        : random.pick([",", " "])
      : "";
  const decimals = group !== "" && random.chance(0.3) ? 2 : undefined;
  const sign = hasSymbol && random.chance(0.5) ? SYMBOLS[currency]! : currency;
  const unitName = random.pick(unit.named);
  const unitText = random.pick(unit.written);
  const front = sign.length === 1 || random.chance(0.5);
  const suffix = random.pick(["brackets", "underscore"]);
  return {
    name: `${currency} in ${perRow ? "column" : currencyIn}, ${unit.answer} in ${unitIn}, decimal ${decimal}, group '${group}'`,
    perRow,
    decimal,
    answer: unit.answer,
    header(base: string): string {
      const words = [currencyIn === "name" ? sign : "", unitIn === "name" ? unitName : ""].filter(
        (word) => word !== "",
      );
      if (words.length === 0) return base;
      return suffix === "brackets" || /[^\x20-\x7e]/.test(sign)
        ? `${base} (${words.join(" ")})`
        : `${base}_${words.join("_").replaceAll(" ", "_")}`;
    },
    write({ amount }: TrueRound): string {
      const value = amount! / unit.factor;
      const [whole = "", fraction] = (decimals === undefined ? String(value) : value.toFixed(decimals)).split(".");
      const grouped = grouped3(whole, group);
      const digits = fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
      const written = unitIn === "text" ? `${digits}${unitText}` : digits;
      if (currencyIn !== "text") return written;
      return front ? (sign.length === 1 ? `${sign}${written}` : `${sign} ${written}`) : `${written} ${sign}`;
    },
  };
}

function grouped3(whole: string, mark: string): string {
  return whole.length <= 3 ? whole : `${grouped3(whole.slice(0, -3), mark)}${mark}${whole.slice(-3)}`;
}

function shuffle<T>(random: Random, items: T[]): void {
  for (let index = items.length - 1; index > 0; index--) {
    const other = random.below(index + 1);
    [items[index], items[other]] = [items[other]!, items[index]!];
  }
}
