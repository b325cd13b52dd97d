/** How many searches an API process has made, by its metrics for operators. */
export async function searchesMade(operator: string): Promise<number> {
  const text = await (await fetch(`${operator}/metrics`)).text();
  return Number(/^tranche_search_seconds_count (\d+)/m.exec(text)![1]);
}
