/** The kind of values in the field that orders a list. Points are whole numbers with few different values; amounts have many. */
export type OrderedBy = "days" | "amounts" | "points" | "names";
/** The order of a list, by a field of its documents. Missing values come last in both directions. */
export type Order<Document = Record<string, unknown>> = {
  field: keyof Document & string;
  direction: "asc" | "desc";
  by: OrderedBy;
  /** The index is sorted the other way, so Elasticsearch would collect every document before it finds the first page. */
  against?: true;
};
