// Reads are marked here. One request marks everything up to a message, and while one is under way no other is made for
// the same place: the next one then covers everything up to that time.

import type { ChatItem, GroupChatItem, InboxItem, ReadTo } from '@parley/sdk'
import { maybeTemporary, withRetry } from '@parley/sdk/retry.ts'
import { cache, client } from '../service/api.ts'
import { onAccountChange } from '../service/session.ts'
import { closeNotifications, onWorkerMessage } from '../service/worker.ts'
import { setReadTo } from '../thread/direct-messages.ts'
import type { Nft } from '../thread/history.ts'
import { changeRow, pathAt, type Place, readInboxAgain, rowOf } from './cache.ts'
import { peerOf } from '../names/peer.ts'

/** A page shows this place: a conversation, its messages about an NFT, or a chat. */
export interface Reading extends Place {
  nft?: Nft | undefined
}

/** Messages that arrive within this number of milliseconds are marked together. */
const gathered = 1000

/** The reader sees the end of this place: what arrives there is read. */
let open: Reading | undefined

export function setOpen(reading: Reading | undefined): void {
  open = reading
  if (open) closeNotifications(pathAt(open))
}

// A push may arrive after its message was read here.
onWorkerMessage('pushed', ({ path }) => {
  if (open && path.toLowerCase() === pathAt(open).toLowerCase()) closeNotifications(path)
})

/** Returns the open place when a message that arrives is part of it. */
export function openFor(item: ChatItem | GroupChatItem, me: string): Reading | undefined {
  if (!open || item.fromaddr === me) return undefined
  const { addr, nft, context_type } = open
  if (!('toaddr' in item))
    return context_type !== 'dm' && item.nftaddr.toLowerCase() === addr.toLowerCase() ? open : undefined
  if (context_type !== 'dm' || item.fromaddr !== addr) return undefined
  return !nft || (item.nftaddr === nft.nftaddr && item.nftid === nft.nftid) ? open : undefined
}

interface Progress {
  /** Everything up to this id is read, here and at the service. */
  here: number
  there: number
  isSending: boolean
}

let stop = new AbortController()
const progress = new Map<string, Progress>()
onAccountChange(() => {
  stop.abort()
  stop = new AbortController()
  progress.clear()
})

function progressOf({ context_type, addr, nft }: Reading): Progress {
  const kind = context_type === 'dm' ? 'dm' : 'chat'
  const key = [kind, addr.toLowerCase(), nft?.nftaddr, nft?.nftid].join(' ')
  const known = progress.get(key) ?? { here: 0, there: 0, isSending: false }
  progress.set(key, known)
  return known
}

/** Returns the id up to which a place was read here; 0 when it was not. */
export const readHere = (reading: Reading): number => progressOf(reading).here

/** Marks everything up to a message as read: here at once, and then at the service. */
export function readTo(me: string, reading: Reading, id: number): void {
  const known = progressOf(reading)
  if (id <= known.here) return
  known.here = id
  markHere(me, reading, id)
  if (!known.isSending) void send(me, reading, known, stop.signal)
}

/** Handles a read on another device; reads on this one are handled already. */
export function wasReadTo(me: string, reading: Reading, id: number): void {
  const known = progressOf(reading)
  if (id <= known.here) return
  known.here = known.there = id
  if (markHere(me, reading, id) === 'some') readInboxAgain()
  else closeNotifications(pathAt(reading))
}

/** Updates rows of an inbox that may be older than the reads made here. */
export const asReadHere = (rows: InboxItem[], me: string): InboxItem[] =>
  rows.map((row) => {
    const addr = row.context_type === 'dm' ? peerOf(row, me) : row.nftaddr
    const isRead = row.unread > 0 && row.id <= readHere({ context_type: row.context_type, addr })
    return isRead ? { ...row, unread: 0 } : row
  })

/** A message was marked as unread on another device: it may be read again. */
export function wasUnread(reading: Reading, id: number): void {
  const known = progressOf(reading)
  known.here = known.there = Math.min(known.there, id - 1)
}

/** Returns whether that is all that is unread in the conversation or chat. */
function markHere(me: string, reading: Reading, id: number): 'all' | 'some' {
  const { context_type, addr, nft } = reading
  const changed = context_type === 'dm' ? setReadTo({ id, fromaddr: addr, toaddr: me, ...nft }) : 0
  const isAll = !nft && (rowOf(reading, me)?.id ?? 0) <= id
  changeRow(reading, me, ({ unread }) => ({ unread: isAll ? 0 : Math.max(0, unread - changed) }))
  return isAll ? 'all' : 'some'
}

async function send(me: string, reading: Reading, known: Progress, signal: AbortSignal): Promise<void> {
  const { addr, context_type, nft } = reading
  known.isSending = true
  try {
    while (known.there < known.here) {
      const id = known.here
      const last = rowOf(reading, me)?.id
      const body: ReadTo = { id, context_type: context_type as ReadTo['context_type'], ...nft }
      const read = await withRetry(
        () => client.markReadTo({ addr, body }, { signal }),
        maybeTemporary,
        { attempts: 10 },
        signal,
      )
      known.there = Math.max(known.there, read.id)
      // Nothing has arrived meanwhile.
      if (read.id >= id && rowOf(reading, me)?.id === last)
        changeRow(reading, me, () => ({ unread: read.unread }))
      if (cache.isFetching({ queryKey: ['getInbox'] }) > 0) readInboxAgain()
      await new Promise((resolve) => setTimeout(resolve, gathered))
      signal.throwIfAborted()
    }
  } catch {
    // The next message or visit tries it again.
    if (!signal.aborted) {
      known.here = known.there
      readInboxAgain()
    }
  }
  known.isSending = false
}
