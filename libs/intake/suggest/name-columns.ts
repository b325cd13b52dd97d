import { mostlyWords, type Recogniser, slugs } from "./recogniser.ts";
import type { Column } from "./roles.ts";

/** Words for a company, as an expression. */
export const COMPANY =
  "(?:company|companies|startup|start-up|organi[sz]ation|firm|issuer|employer|firma|unternehmen|gesellschaft|societe|entreprise|empresa|compania|azienda|societa|impresa|bedrijf|foretag|bolag|virksomhed|spo[lł]ka|sirket|компан(?:и[яи]|ія)|yritys|εταιρεια|公司|企业|企業|会社|회사|الشركة)";
const NAME = "(?:name|nom|nombre|nome|naam|namn|navn|nazwa|название|名称|名稱|名|명)";
const NOT_NAMES =
  "country|land|city|stadt|state|region|categor|industry|branche|sector|typ|size|url|website|web|domain|id|nr|permalink|slug|uuid|number|stage|status|description|location|founded|age|investor|acquir|employees|code|date|market|email|phone|linkedin|hq|count";

const ACQUIRER =
  /acquir(?:er|or)(?:-|$)|^acquiring|^(?:acquired|bought)-by$|^parent-company$|^buyer(?:-|$)|kaufer|acquereur|erwerber/;
const ACQUIRED = new RegExp(`^acquired-${COMPANY}(?:-${NAME})?$|^acquiree(?:-${NAME})?$`);

const FUNDED = new RegExp(`^(?:portfolio|funded|investee)-${COMPANY}(?:-${NAME})?$|^investee(?:-${NAME})?$`);

/** Columns of names of companies and investors. Beside a company that is acquired or funded, another one is who buys or invests. `columns`: all of the file. */
export const nameColumns = (columns: readonly Column[]) =>
  ({
    acquirer: {
      names: [
        ACQUIRER,
        ...(columns.some(({ key }) => ACQUIRED.test(key)) ? [new RegExp(`^${COMPANY}(?:-${NAME})?$`)] : []),
      ],
      fits: mostlyWords,
    },
    company: {
      names: [
        new RegExp(
          `^(?:portfolio|funded|investee|acquired|target)-${COMPANY}$|^investee(?:-name)?$|^${COMPANY}-?${NAME}$|^${NAME}-(?:of-|del?-|de[rs]-|du-|d[ao]-|dell[ae]?-)?(?:the-|la-|l)?-?${COMPANY}$|^firmenname$|^unternehmensname$|^raison-sociale$|^razon-social$`,
        ),
        new RegExp(`^${COMPANY}(?:-fund)?$|^(?:legal-)?entity(?:-?name)?$`),
        new RegExp(
          `^associated-${COMPANY}$|^legal-name$|^acquiree(?:-name)?$|^acquired(?:-name)?$|^(?:brand|account|project|business|venture)-name$`,
        ),
        new RegExp(`^(?!.*(?:${NOT_NAMES})).*${COMPANY}.*${NAME}(?:-|$)`),
        new RegExp(`^(?:funded-)?${COMPANY}-identifier-value$`),
        new RegExp(`^${COMPANY}-(?:brand|startup|company|legal|official|registered|lt|laut)(?:-|$)`),
        new RegExp(`^${NAME}$`),
        /^(?:brand|venture|business|account|project|portfolio|target|legal-name|recipient|awardee|grantee|borrower)$/,
      ],
      fits: mostlyWords,
    },
    company_slug: {
      names: [new RegExp(`^${COMPANY}.*-(?:permalink|slug)$`), /^(?:permalink|slug)$/],
      fits: slugs,
    },
    lead: {
      names: [
        /(?:^|-)lead(?:-|$)|^lead-?investor|^(?:co-)?led-by$/,
        /^haupt-?investor|^chef-de-file|^inve[a-z]+-(?:principale?|lider)$|领投|ведущ/,
      ],
      fits: mostlyWords,
      traps: [
        [
          /lead-(?:source|status|owner|score|stage|partner|time|id)|date|count|number|amount|city|region|type|url|website|permalink|slug|contact|mail|phone|linkedin|notes?$/,
          "its name says something else",
        ],
      ],
    },
    investor_slug: { names: [/^investor.*-(?:permalink|slug)$/], fits: slugs },
    investors: {
      names: [
        /^investors?(?:-names?)?$|^investoren$|^investisseurs?$|^invers(?:or|ores|ionistas?)$|^investitor[ei]$|^investidor(?:es)?$|^investeerders?$|^investerare$|^[иі]нвестори?ы?$|^sijoittajat?$|^investori$|^επενδυτες$|^inwestor(?:zy)?$|^投资(?:方|人|机构)$|^投資(?:家|方|人|機構)$|^투자[자사]$|^yatırımcı(?:lar)?$|^yatirimci(?:lar)?$/,
        /^(?:all-|other-)?investors?/,
        ...(columns.some(({ key }) => /^lead(?:-|$)/.test(key)) ? [/^others?$/] : []),
        ...(columns.some(({ key }) => FUNDED.test(key)) ? [/^(?:(?:vc-)?firm|fund|organi[sz]ation)(?:-name)?$/] : []),
        /investor|investisseur|inversor|investidor|geldgeber|kapitalgeber|backers|financial-org|funds$|participants|投资|^fund(?:-name)?$|^vcs?$|^(?:invested|funded|backed)-by$|^funders$|^(?:investing|investment|venture|vc)-firms?$/,
      ],
      fits: mostlyWords,
      traps: [
        [
          /count|number|city|type|region|url|website|permalink|slug|contact|mail|phone|linkedin|notes?$|(?:^|-)role(?:-|$)/,
          "its name says something else",
        ],
      ],
    },
  }) satisfies Record<string, Recogniser>;
