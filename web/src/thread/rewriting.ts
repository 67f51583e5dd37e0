// A message that is not sent yet gets another text. Its record stays, under the same Idempotency-Key, so it is never sent
// twice. When the service may have it already with the text of before, the record has that as well: the service
// refuses another body under the same key, what was stored is found by the earlier one, and the new text becomes an
// edit of it.

import { type ChatItem, type GroupChatItem, newIdempotencyKey } from '@parley/sdk'
import { type Change, type EditEntry, type Entry, isMessage, type MessageEntry } from './entries.ts'
import type { HistoryName, Items } from './history.ts'

/** Returns an entry of a message with another text, and what may have been sent of it. */
export function withText(entry: Entry, text: string, changed: Change): Entry {
  if (!isMessage(entry) || entry.text === text) return entry
  const { earlier = [], body, text: before } = entry
  const { earlier: _earlier, ...rest } = unprepared(entry)
  return {
    ...rest,
    ...changed,
    text,
    body: { ...rest.body, message: text },
    ...(entry.prepared
      ? { earlier: [...earlier, { text: before, body }] }
      : earlier.length > 0 && { earlier }),
  } as Entry
}

/** Returns an entry of a message as it was before it was prepared. */
export function unprepared(entry: MessageEntry): MessageEntry {
  const { prepared: _prepared, ...rest } = entry
  const { encrypted_sym_x_key: _key, x_access_conditions: _of, ...plain } = entry.body as SealedBody
  return { ...rest, body: { ...plain, message: entry.text } } as MessageEntry
}

/** Returns an entry whose files are uploaded once again: the service had one of them no longer, and stored nothing. */
export const uploadedAgain = (entry: Entry): Entry =>
  isMessage(entry) && entry.uploads
    ? {
        ...unprepared(entry),
        uploads: entry.uploads.map(({ made: _made, ...one }) => ({ ...one, request: newIdempotencyKey() })),
        again: true,
      }
    : entry

type SealedBody = Extract<Entry, { endpoint: 'sendDirectMessage' }>['body']

/** Returns the edit that a stored message still needs: its entry got another text while the one of before was sent. */
export function editAfter(
  entry: Entry,
  sent: Items[HistoryName] | true,
  text: string,
  timestamp: string,
): EditEntry | undefined {
  if (sent === true || !isMessage(entry) || entry.text === text) return undefined
  if (entry.endpoint === 'createComment') return undefined
  const { id, thread, encrypt, quoted, files } = entry
  const item = sent as ChatItem | GroupChatItem
  return {
    // Two tabs may find it: it is the same one.
    id: `${id}-edit`,
    endpoint: 'editMessage',
    about: item.id,
    body: { message: entry.text, revision: item.revision ?? 0 },
    histories: [],
    thread,
    text: entry.text,
    timestamp,
    state: 'sending',
    ...(encrypt &&
      'toaddr' in item && { encrypt, ...namesOf(item), ...(quoted && { quoted }), ...(files && { files }) }),
  }
}

/** An edit of an encrypted message is its next version; one of a message in the clear is a first one. */
function namesOf(item: ChatItem): Pick<Change, 'of' | 'version'> {
  const { fromaddr, toaddr, nftaddr, nftid, encrypted_sym_x_key: envelope } = item
  const of = { fromaddr, toaddr, nftaddr, nftid }
  if (!envelope) return { of }
  const { cid } = JSON.parse(envelope) as { cid: string }
  return { of, version: { cid, rev: 1 } }
}
