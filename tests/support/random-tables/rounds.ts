import type { Random } from "./random.ts";

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

export type Script = "latin" | "western" | "cyrillic" | "chinese";

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

export const COUNTRIES: readonly { code: string; en: string; de: string; fr: string; es: string }[] = [
  { code: "DE", en: "Germany", de: "Deutschland", fr: "Allemagne", es: "Alemania" },
  { code: "FR", en: "France", de: "Frankreich", fr: "France", es: "Francia" },
  { code: "US", en: "United States", de: "Vereinigte Staaten", fr: "États-Unis", es: "Estados Unidos" },
  { code: "NA", en: "Namibia", de: "Namibia", fr: "Namibie", es: "Namibia" },
  { code: "GB", en: "United Kingdom", de: "Vereinigtes Königreich", fr: "Royaume-Uni", es: "Reino Unido" },
  { code: "IN", en: "India", de: "Indien", fr: "Inde", es: "India" },
];

export const TYPES: readonly (readonly [label: string, type: string])[] = [
  ["Seed", "seed"],
  ["Series A", "series_a"],
  ["Series B", "series_b"],
  ["Pre-Seed", "pre_seed"],
  ["Grant", "grant"],
  ["Debt Financing", "debt_financing"],
];

/** US dollars for one unit, as the answers say. */
export const RATES: Readonly<Record<string, number>> = { USD: 1, EUR: 2, GBP: 3, INR: 0.5 };

export function trueRound(random: Random, script: Script, currency: string): TrueRound {
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
