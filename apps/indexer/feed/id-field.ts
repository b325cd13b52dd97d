import type { FeedModel } from "@tranche/shared/feed/keys";

/** The field of a document's id: the feed orders documents of one ticket by it, gone ones too. */
export const ID_FIELD = { funding: "id", signals: "company_id" } as const satisfies Record<FeedModel, string>;
