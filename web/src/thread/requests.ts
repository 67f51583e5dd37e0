// The requests that send what the outbox has.

import { ApiError, type ChatItem, type GroupChatItem } from '@parley/sdk'
import { cache, client } from '../service/api.ts'
import { type EditEntry, type Entry, isMessage, type MessageEntry } from './entries.ts'
import { type HistoryName, type Items, replaceItem } from './history.ts'

type Stored = Items[HistoryName]

/** The service has this now, and stored this text. */
interface Sent {
  sent: Stored | true
  text: string
}

/** Returns whether the body of an entry is encrypted. */
export function isSealed(entry: Entry): boolean {
  if (entry.endpoint === 'react')
    return entry.body.values.length === 1 && entry.body.values[0]!.startsWith('{')
  return 'encrypted_sym_x_key' in entry.body && Boolean(entry.body.encrypted_sym_x_key)
}

/** Sends an entry that is prepared. */
export async function request(entry: Entry, signal: AbortSignal): Promise<Sent> {
  if (isMessage(entry)) return create(entry, signal)
  const { text } = entry
  if (entry.endpoint === 'editMessage') return { sent: await edit(entry, signal), text }
  await client.react({ id: entry.about, body: entry.body }, { signal })
  return { sent: true, text }
}

/**
 * Sends a message. Where the service has stored it with an earlier text, because a response was lost, that is what was
 * sent.
 */
async function create(entry: MessageEntry, signal: AbortSignal): Promise<Sent> {
  const { id: idempotencyKey, earlier = [] } = entry
  const call = client[entry.endpoint] as (input: object, options: object) => Promise<Stored[]>
  const all = [entry, ...earlier]
  for (const [n, { text, body }] of all.entries())
    try {
      const [sent] = await call({ body }, { idempotencyKey, signal })
      return { sent: sent!, text }
    } catch (error) {
      const isOther = error instanceof ApiError && error.code === 'idempotency_mismatch'
      if (!isOther || n === all.length - 1) throw error
    }
  throw new Error('It has no text.')
}

/** Shows the present text of a message that was edited. */
export function edited(item: ChatItem | GroupChatItem): void {
  replaceItem(item)
  void cache.invalidateQueries({ queryKey: ['listEdits', { id: item.id }] })
}

/** Sends an edit. The service may have it already, where its response was lost. */
async function edit({ about: id, body }: EditEntry, signal: AbortSignal): Promise<ChatItem | GroupChatItem> {
  try {
    const [item] = await client.editMessage({ id, body }, { signal })
    return item!
  } catch (error) {
    const current = error instanceof ApiError ? (error.current as ChatItem | GroupChatItem) : undefined
    if (!current) throw error
    if (current.message === body.message && current.revision === body.revision + 1) return current
    edited(current)
    throw error
  }
}
