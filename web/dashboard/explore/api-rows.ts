import type { Warning } from "../../../libs/read-models/parameters/warning.ts";
import type { CompanyRow } from "../../../apps/api/present/signals.ts";
import type { Pagination } from "../../../apps/api/present/pagination.ts";
import type { FundingRow } from "../../../libs/read-models/documents/funding.ts";
import type { InvestorRow } from "../../../libs/read-models/documents/investors.ts";
import type { SignalsRow } from "../../../libs/read-models/documents/companies.ts";
import type { ListName } from "../../../apps/dashboard/explore/list-fields.ts";

export type { FundingRow, InvestorRow, Pagination, Warning };

/** The rows of each list, as the API answers. */
export type RowOf = { funding: FundingRow; signals: SignalsRow; companies: CompanyRow; investors: InvestorRow };
export type Row = RowOf[ListName];

/** A page of a list. */
export type ListPage<R = Row> = {
  data: R[];
  pagination: Pagination;
  warnings?: Warning[];
  filters_applied: Record<string, unknown>;
};
