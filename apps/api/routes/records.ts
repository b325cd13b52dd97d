import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { rowOf } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { domainOf } from "@tranche/shared/domain/text/domain";
import { dayOfTime } from "@tranche/shared/domain/time/day";
import { notFound } from "../errors/api-error.ts";
import { shortened } from "@tranche/read-models/parameters/query-string";
import { presentCompany } from "../present/company.ts";
import { anyOf } from "@tranche/read-models/query/filters";
import { byId, companyBy } from "../query/look-up.ts";
import { provenanceOf, shownProvenance } from "./provenance.ts";
import { assertFilled } from "./assert-filled.ts";
import { investorBy } from "./investor.ts";
import { type LookUpRequest, type LookUpResult, roundsPage } from "./look-up.ts";
import { noSuchName } from "./no-such-name.ts";
import type { ApiParts } from "./parts.ts";

/** One round by id. */
export function findRound(parts: ApiParts) {
  return async ({ id, provenance }: LookUpRequest): Promise<LookUpResult> => {
    const { documents } = await parts.search<FundingDocument>(parts.names.role("funding", "live"), byId("id", id));
    if (!documents[0]) throw notFound(`There is no funding round with the id '${shortened(id)}'.`);
    return { data: { ...rowOf(documents[0].row), ...(provenance && (await provenanceOf(parts, "round", id))) } };
  };
}

/** One company by id, slug or domain, with a page of its rounds. */
export function findCompany(parts: ApiParts) {
  return async ({ id, page, asking, provenance }: LookUpRequest): Promise<LookUpResult> => {
    const { documents } = await parts.search<CompanyDocument>(parts.names.role("companies", "live"), companyBy(id));
    const document = documents[0];
    if (!document) {
      if (domainOf(id) !== null)
        await assertFilled({ lacking: parts.lacking, model: "companies", asked: { domain: true } });
      const message = `There is no company with the id, slug or domain '${shortened(id)}'.`;
      throw await noSuchName(parts, message, { type: "company", text: id }, asking);
    }
    const { rows, rounds } = await roundsPage(parts, anyOf<FundingDocument>("company_id", [document.company_id]), page);
    const from = provenance && (await provenanceOf(parts, "company", document.company_id));
    return { data: { ...presentCompany(document, rows, dayOfTime(parts.now())), ...from }, rounds };
  };
}

/** One investor by id or slug, with a page of its rounds. */
export function findInvestor(parts: ApiParts) {
  return async ({ id, page, asking, provenance }: LookUpRequest): Promise<LookUpResult> => {
    const record = await investorBy(parts, id);
    if (!record?.body) {
      const message = `There is no investor with the id or slug '${shortened(id)}'.`;
      throw await noSuchName(parts, message, { type: "investor", text: id }, asking);
    }
    const { rows, rounds } = await roundsPage(parts, anyOf<FundingDocument>("investor_ids", [record.id]), page);
    const from = provenance && shownProvenance(record);
    return { data: { investor: record.body, rounds: rows, updated_at: record.updated_at, ...from }, rounds };
  };
}
