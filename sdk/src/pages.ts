import type { Static } from 'typebox'
import type { CallOptions } from './client.ts'
import type { Page } from './contract/fields.ts'

/**
 * Reads a list page by page: from the newest items, or from `query.before`, back to the oldest;
 * with `query.after` from there forward to the newest. Each page has its items oldest first. A page
 * has `query.limit` items, 1000 when left out. Throws what the method throws.
 * @example
 * const conversation = { fromaddr: me, toaddr: you, query: { limit: 50 } }
 * for await (const page of pages(parley.listConversation, conversation)) {
 *   show(page)
 *   if (isFull()) break
 * }
 */
export async function* pages<Of extends { query?: Static<typeof Page> }, Item extends { id: number }>(
  list: (input: Of, options?: CallOptions) => Promise<Item[]>,
  input: Of,
  options?: CallOptions,
): AsyncGenerator<Item[], void, undefined> {
  const forward = input.query?.after !== undefined
  const query = { limit: 1000, ...(!forward && { before: Number.MAX_SAFE_INTEGER }), ...input.query }
  for (let edge = {}; ;) {
    const page = await list({ ...input, query: { ...query, ...edge } }, options)
    if (page.length > 0) yield page
    if (page.length < query.limit) return
    edge = forward ? { after: page.at(-1)!.id } : { before: page[0]!.id }
  }
}
