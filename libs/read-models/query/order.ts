/** The kind of values in the field that orders a list. Points are whole numbers with few different values; amounts have many. */
export type OrderedBy = "days" | "amounts" | "points" | "names";
/** The order of a list, by a field of its documents. Missing values come last in both directions. */
export type Order<Document = Record<string, unknown>> = {
  field: keyof Document & string;
  direction: "asc" | "desc";
  by: OrderedBy;
  /**
   * Elasticsearch would collect every document before it finds the first page: the index is sorted the other way, or the values are names,
   * of which it can skip none.
   */
  against?: true;
};
