/** Does `work` for every item, at most `limit` at a time. */
export async function forEachLimited<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const rest = Iterator.from(items)
  // All workers read from one iterator, so each item goes to one of them.
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  const workers = Array.isArray(items) ? Math.min(limit, items.length) : limit
  await Promise.all(Array.from({ length: workers }, worker))
}
