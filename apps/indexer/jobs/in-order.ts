/** Works on several items at once and yields their results in the order of the items. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  lanes: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for await (const item of items) {
    const result = work(item);
    // Looked at in its turn; until then its failure is not an unhandled one.
    result.catch(() => {});
    underWay.push(result);
    if (underWay.length >= lanes) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}
