/** Records with everything in their names that makes files and addresses go wrong. */
const NAMES = [
  "Acme, Inc.",
  'The "Fund" Tracker',
  "Two\u3000Blanks\u00a0Wide",
  "Three\ufffdReplaced",
  "=cmd|' /C calc'!A0",
  "+49 Labs",
  "-5 % Club",
  "@home",
  "'Tis",
  "北京字节",
  "Ἀθῆναι Λογισμικό",
  "شركة",
  "Zoë’s Café 🚀",
  "semi;colon and \u200b nothing",
];

const INVESTORS = [
  { id: "inv-sg", name: "Société Générale" },
  { id: "inv-kp", name: "Kleiner, Perkins" },
  { id: "inv-quoted", name: '=HYPERLINK("http://example.com")' },
];

const STACKS = [["C"], ["C++"], ["C#"], ["Node.js", "PostgreSQL", "Kubernetes"]];

/** One company a name and more up to `count`, each with one round; the newest round is announced on `day`. */
export function awkwardRecords(count: number, day: string) {
  const companies = Array.from({ length: count }, (_, n) => ({
    type: "company",
    id: `co-${n}`,
    name: NAMES[n] ?? `Company ${n}`,
    slug: `company-${n}`,
    country: n % 2 === 0 ? "US" : null,
    city: n % 3 === 0 ? "São Paulo" : null,
    category: n % 5 === 0 ? "=SUM(A1)" : "games_video",
    tech_stack: STACKS[n % STACKS.length],
  }));
  const rounds = companies.map((company, n) => ({
    type: "round",
    id: `rnd-${n}`,
    company_id: company.id,
    announced_date: new Date(Date.parse(day) - n * 86_400_000).toISOString().slice(0, 10),
    deal_type: "seed",
    amount_usd: n % 7 === 0 ? null : n * 1_000_000.5,
    investors: INVESTORS.slice(0, 1 + (n % 3)).map(({ id }) => ({ investor_id: id, is_lead: true })),
  }));
  const investors = INVESTORS.map((investor) => ({ type: "investor", ...investor }));
  return { companies, rounds, investors };
}
