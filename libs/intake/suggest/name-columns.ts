import { mostlyWords, type Recogniser, slugs } from "./recogniser.ts";

/** Words for a company, as an expression. */
export const COMPANY =
  "(?:company|companies|startup|start-up|organi[sz]ation|firm|issuer|employer|firma|unternehmen|gesellschaft|societe|entreprise|empresa|compania|azienda|societa|impresa|bedrijf|foretag|bolag|virksomhed|spolka|sirket|компания|公司|企业|企業|会社|회사|الشركة)";
const NAME = "(?:name|nom|nombre|nome|naam|namn|navn|nazwa|название|名称|名稱|名|명)";
const NOT_NAMES =
  "country|land|city|stadt|state|region|categor|industry|branche|sector|typ|size|url|website|web|domain|id|nr|permalink|slug|uuid|number|stage|status|description|location|founded|age|investor|acquir|employees|code|date|market|email|phone|linkedin|hq|count";

/** Columns of names of companies and investors. */
export const NAME_COLUMNS = {
  acquirer: {
    names: [
      /acquir(?:er|or)(?:-|$)|^acquiring|^(?:acquired|bought)-by$|^parent-company$|^buyer(?:-|$)|kaufer|acquereur|erwerber/,
    ],
    fits: mostlyWords,
  },
  company: {
    names: [
      new RegExp(
        `^(?:portfolio|funded|investee|acquired|target)-${COMPANY}$|^investee(?:-name)?$|^${COMPANY}-?${NAME}$|^${NAME}-(?:of-|de-|der-|du-)?(?:the-|la-|l)?-?${COMPANY}$|^firmenname$|^unternehmensname$|^raison-sociale$|^razon-social$`,
      ),
      new RegExp(`^${COMPANY}$|^entity-name$`),
      new RegExp(
        `^associated-${COMPANY}$|^legal-name$|^acquiree(?:-name)?$|^acquired$|^(?:brand|account|project|business|venture)-name$`,
      ),
      new RegExp(`^(?!.*(?:${NOT_NAMES})).*${COMPANY}.*${NAME}(?:-|$)`),
      new RegExp(`^(?:funded-)?${COMPANY}-identifier-value$`),
      new RegExp(`^${COMPANY}-(?:brand|startup|legal|official|registered|lt|laut)(?:-|$)`),
      new RegExp(`^${NAME}$`),
      /^(?:brand|venture|business|account|project|portfolio|target|legal-name)$/,
    ],
    fits: mostlyWords,
  },
  company_slug: {
    names: [new RegExp(`^${COMPANY}.*-(?:permalink|slug)$`), /^(?:permalink|slug)$/],
    fits: slugs,
  },
  lead: {
    names: [/(?:^|-)lead(?:-|$)/, /^haupt-?investor|^chef-de-file|^inversor-principal|领投|ведущ/],
    fits: mostlyWords,
    traps: [
      [
        /lead-(?:source|status|owner|score|stage|partner|time|id)|date|count|number|amount|city|region|type|url|website|permalink|slug/,
        "its name says something else",
      ],
    ],
  },
  investor_slug: { names: [/^investor.*-(?:permalink|slug)$/], fits: slugs },
  investors: {
    names: [
      /^investors?(?:-names?)?$|^investoren$|^investisseurs?$|^invers(?:or|ores|ionistas?)$|^investitor[ei]$|^investidor(?:es)?$|^investeerders?$|^investerare$|^инвесторы?$|^投资(?:方|人|机构)$|^投資家$|^투자자$|^yatırımcı(?:lar)?$|^yatirimci(?:lar)?$/,
      /^(?:all-|other-)?investors?/,
      /investor|investisseur|inversor|investidor|geldgeber|kapitalgeber|backers|funds$|participants|投资|^fund(?:-name)?$|^vc$/,
    ],
    fits: mostlyWords,
    traps: [
      [/count|number|city|type|region|url|website|permalink|slug|(?:^|-)role(?:-|$)/, "its name says something else"],
    ],
  },
} satisfies Record<string, Recogniser>;
