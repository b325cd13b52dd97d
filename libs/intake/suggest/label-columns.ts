import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { knownLabel } from "./labels.ts";
import { COMPANY } from "./name-columns.ts";
import { isOtherEvent } from "./other-events.ts";
import { different, mostlyWords, type Recogniser, shareOf } from "./recogniser.ts";

/** The category of a company in a register of companies. */
const LEGAL_FORM = /\blimited (?:company|partnership|liability)|^(?:ltd|plc|llp|llc|gmbh)\b/i;

/** Columns of labels. */
export const labelColumns = (dealTypes: DealTypes) =>
  ({
    deal_type: {
      names: [
        /(?:round|funding|investment|investmentn|deal)-?(?:round-)?type|^finanzierungs(?:art|runde)$|^type-de-tour$|^tour-de-table$|^tipo-de-(?:ronda|rodada)$/,
        /^(?:round|series|funding-round|deal|type|runde|serie|tour|tur|ronda|ronde|kolo|rodada|runda|раунд|(?:融资)?轮次|(?:融資)?輪次|ラウン[トド]|라운드|투자단계|last-round|(?:financing|transaction|event)-type)$/,
        /^(?:stage|funding-stage|phase|etapa|estagio|fase|стадия)$/,
        /round|stage|series|runde|раунд/,
      ],
      fits: ({ texts, key }) => {
        // In a list of events of several kinds only rounds have types.
        const known = shareOf(
          texts.filter((text) => !isOtherEvent(text)),
          (text) => dealTypes.find(text) !== undefined || knownLabel(text) !== undefined,
        );
        const isNamed = /^(?:(?:funding-)?(?:round|stage|type)|runde|tour|serie|ronda|раунд|轮次)$/.test(key);
        const areLabels = different(texts) <= 0.5 || texts.length < 10;
        return isNamed && areLabels && known > 0 ? 1 : known;
      },
      traps: [
        [
          /number|count|date|size|amount|valuation|multiple|revenue|investor|id$|url$|(?<!^(?:round|series|deal|funding-round)-)name$/,
          "its name says something else",
        ],
      ],
    },
    category: {
      names: [
        new RegExp(`^${COMPANY}-(?:category|industry)`),
        /^(?:category|industry|sector|vertical|market|branche|industrie|secteur|settore|setor|branza|отрасль|(?:所属)?行业)/,
        /^(?!sub|investor).*(?:categor|industr|sector|vertical)/,
      ],
      fits: (column) => (shareOf(column.texts, (text) => LEGAL_FORM.test(text)) > 0.5 ? 0 : mostlyWords(column)),
    },
  }) satisfies Record<string, Recogniser>;
