/** The filters of a saved search, without its order: what a webhook has of it. */
export function filtersOf(query: string): string {
  const params = new URLSearchParams(query);
  params.delete("sort");
  return params.toString();
}
