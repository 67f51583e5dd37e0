// Reads the event stream while a wallet is signed in. Messages come whole and are added to what is
// cached, so that nothing is read twice.

import { type ChatItem, type GroupChatItem, readEvents, type ServiceEvent } from '@parley/sdk'
import { useEffect, useState } from 'react'
import { contactEvent } from '../contacts/change.ts'
import { changeRow, moveRow, readInboxAgain, rowOf } from '../inbox/cache.ts'
import { openFor, readTo, wasReadTo, wasUnread } from '../inbox/reading.ts'
import { isToBeAsked } from '../keys/state/keyring.ts'
import { loadKeys } from '../keys/state/load.ts'
import { readRoomsAgain } from '../chat-moderation/rooms.ts'
import { readClaimsAgain } from '../names/imported-claims.ts'
import { changeTeam } from '../names/official.ts'
import { readStoredAgain } from '../offline/read-again.ts'
import { knownAliases } from '../names/aliases.ts'
import { accessWords } from '../moderation/notice-words.ts'
import { sayReviewed } from '../moderation/reviewed.ts'
import { readNotices } from '../sanctions/notices.ts'
import { learnName } from '../names/profile.ts'
import { cache, service } from '../service/api.ts'
import { hasBegun, holdReads, releaseReads } from '../service/hold-reads.ts'
import { fetchAs, tokenOf } from '../service/tokens.ts'
import { removeConversation, removeMessage, setRead, setReadTo } from '../thread/direct-messages.ts'
import { forgetFound, searchAgain } from '../search/forget.ts'
import { groupHistory, hasMessageOf, insertArrived, replaceItem } from '../thread/history.ts'
import { resume } from '../thread/outbox.ts'
import { pinChanged } from '../thread/changes.ts'
import { withNews } from '../thread/new-reaction.ts'
import { changeReactions, reactedMyself, withCounts, withPeer } from '../thread/reaction-lists.ts'
import { emptyPost } from '../thread/posts.ts'
import { startTyping, stopTyping } from '../thread/typing.ts'
import { shortAddress } from '../seal/address.ts'
import { showNotice } from '../state/notice.ts'
import { notice } from '../search/noticed.ts'
import { createStore, useStore } from '../state/store.ts'
import { lookForUpdate } from './offline.ts'

const state = createStore<'open' | 'broken'>('open')

/** Returns whether events arrive. */
export const useLiveState = (): 'open' | 'broken' => useStore(state)

/** Reads wait at most this number of milliseconds for the stream, once there is a token. */
const longestHold = 2000

/** Follows the events of a wallet while the component is mounted. What the page reads first waits for the stream. */
export function useLive(me: string): void {
  // The effects of what is inside, which begin to read, come before the effect here.
  useState(() => holdReads(me))
  useEffect(() => {
    const stop = new AbortController()
    void follow(me, stop.signal)
    return () => {
      stop.abort()
      releaseReads(me)
    }
  }, [me])
}

async function follow(me: string, signal: AbortSignal): Promise<void> {
  // A stream that resumes misses nothing. Before the first one opened, events were missed: what was read until then is
  // read again. What waits for the stream is read after it has opened.
  let first = true
  const options = {
    signal,
    onOpen: () => {
      if (first) {
        void cache.invalidateQueries({ refetchType: 'active', predicate: hasBegun })
        void readStoredAgain(me)
      } else void lookForUpdate()
      first = false
      releaseReads(me)
      state.set('open')
      repeatFailed()
    },
    onReconnect: () => {
      releaseReads(me)
      state.set('broken')
    },
  }
  void releaseInTime(me, signal)
  try {
    for await (const event of readEvents({ ...service, fetch: fetchAs(me) }, options)) handle(event, me)
  } catch {
    // The service refuses: the session has ended.
    if (!signal.aborted) releaseReads(me)
  }
}

/** Some proxies pass a stream on late. */
async function releaseInTime(me: string, signal: AbortSignal): Promise<void> {
  await tokenOf(me).catch(() => {})
  const timer = setTimeout(() => releaseReads(me), longestHold)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Repeats requests that failed without a connection. */
function repeatFailed(): void {
  if (isToBeAsked()) loadKeys().catch(() => {})
  resume()
}

/** A service that is newer than this page may send types that have no handler here. */
function handle(event: ServiceEvent, me: string): void {
  const handler = handlers[event.type] as ((event: ServiceEvent, me: string) => void) | undefined
  handler?.(event, me)
}

/**
 * Each type of event has a handler that changes the caches. A new type in the contract does not compile until it is
 * here.
 */
const handlers: {
  [Type in ServiceEvent['type']]: (event: Extract<ServiceEvent, { type: Type }>, me: string) => void
} = {
  'direct-message': ({ item }, me) => addMessage(item, me, item.fromaddr),
  'group-message': ({ item }, me) => addMessage(item, me, item.nftaddr),
  'post-removed': ({ id, removed_by }) => {
    emptyPost(id, removed_by)
    forgetFound(id)
    readInboxAgain()
  },
  edited: ({ item }) => {
    replaceItem(item)
    searchAgain()
    if ('toaddr' in item) notice({ edited: item })
    readInboxAgain()
  },
  reacted: ({ id, fromaddr, values, reactions }) =>
    withNews(id, fromaddr, false, () => {
      if (reactions) changeReactions(id, (before) => withCounts(before, reactions))
      else if (values) changeReactions(id, (before) => withPeer(before, values))
    }),
  'reacted-mine': ({ id, values }, me) => withNews(id, me, true, () => reactedMyself(id, values)),
  pinned: ({ id }) => pinChanged(id, true),
  unpinned: ({ id }) => pinChanged(id, false),
  read: ({ id, fromaddr, toaddr, read }, me) => {
    const changed = setRead(id, read)
    if (toaddr !== me) return
    const place = { context_type: 'dm', addr: fromaddr }
    if (!read) wasUnread(place, id)
    if (changed === undefined) readInboxAgain()
    else if (changed)
      changeRow(place, me, ({ unread }) => ({ unread: Math.max(0, unread + (read ? -1 : 1)) }))
  },
  'read-to': (received, me) => {
    const { id, fromaddr, toaddr, nftaddr, nftid } = received
    const nft = nftaddr !== undefined && nftid !== undefined ? { nftaddr, nftid } : undefined
    if (toaddr === me) wasReadTo(me, { context_type: 'dm', addr: fromaddr, nft }, id)
    else setReadTo(received)
  },
  deleted: ({ id }) => {
    removeMessage(id)
    forgetFound(id)
    notice({ gone: id })
    readInboxAgain()
  },
  hidden: ({ id }) => {
    removeMessage(id)
    forgetFound(id)
    notice({ gone: id })
    readInboxAgain()
  },
  'conversation-deleted': (ends, me) => {
    if (ends.fromaddr !== me) tellOfDeletion(ends.fromaddr, me)
    forgetConversation(ends)
  },
  'conversation-hidden': (ends) => forgetConversation(ends),
  typing: ({ fromaddr, nftaddr }) => startTyping(nftaddr ?? fromaddr, fromaddr),
  inbox: ({ change, nftaddr, id }, me) => {
    if (change === 'entered' && nftaddr !== undefined && id !== undefined)
      wasReadTo(me, { context_type: 'community', addr: nftaddr }, id)
    else {
      // Requests may have been decided together.
      void cache.invalidateQueries({ queryKey: ['getContact'] })
      searchAgain()
      readInboxAgain()
    }
  },
  rooms: ({ nftaddr, room }, me) => {
    void readRoomsAgain(nftaddr)
    // Its row has its title.
    if (rowOf({ context_type: 'community', addr: room }, me)) readInboxAgain()
  },
  official: changeTeam,
  imported: ({ address }) => readClaimsAgain(address),
  contact: (changed, me) => {
    contactEvent(changed, me)
    searchAgain()
  },
  notice: ({ action }) => {
    if (action !== 'report') readNotices()
    // The page says what is forbidden for as long as it is.
    if (action === 'report') void sayReviewed()
    else if (action in accessWords)
      showNotice(`${accessWords[action as keyof typeof accessWords]}. Was it not you? Sign out everywhere.`)
    else if (action !== 'mute' && action !== 'ban')
      showNotice(`The operators of ${location.host} have a message for you: Settings, Privacy & contacts.`)
  },
  resync: (_event, me) => {
    void cache.invalidateQueries()
    notice('missed')
    void readStoredAgain(me)
  },
}

/** The conversation says it too, for as long as it is there. */
function tellOfDeletion(peer: string, me: string): void {
  const name = knownAliases().get(peer) ?? rowOf({ context_type: 'dm', addr: peer }, me)?.name
  showNotice(`${name || shortAddress(peer)} deleted your conversation for both of you.`)
}

interface Emptied {
  fromaddr: string
  toaddr: string
  after?: number
}

function forgetConversation({ fromaddr, toaddr, after }: Emptied): void {
  removeConversation(fromaddr, toaddr, after)
  searchAgain()
  notice({ emptied: [fromaddr, toaddr], after: after ?? 0 })
  void cache.invalidateQueries({ queryKey: ['getConversation'] })
  readInboxAgain()
}

/** `typingIn` is the thread in which its sender may be shown as typing. */
function addMessage(item: ChatItem | GroupChatItem, me: string, typingIn: string): void {
  stopTyping(typingIn, item.fromaddr)
  learnName(item.fromaddr, item.sender_name)
  // Somebody who writes for the first time may have joined.
  if (!('toaddr' in item) && !hasMessageOf(groupHistory(item.nftaddr, me), item.fromaddr))
    void cache.invalidateQueries({ queryKey: ['getCommunity'] })
  const reading = openFor(item, me)
  moveRow(item, me, reading !== undefined)
  insertArrived(reading && 'toaddr' in item ? { ...item, read: true } : item, me)
  if (reading) readTo(me, reading, item.id)
}
