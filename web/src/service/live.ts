// The event stream turned into what the pages show. A message event carries its item, which goes straight into the
// histories and the inbox that are shown; only where that is not enough is something read again.

import { type InboxItem, readEvents, type ServiceEvent } from '@parley/sdk'
import { useEffect } from 'react'
import { cache } from './api.ts'
import { changeItems, insertItem } from '../thread/history.ts'
import { keyring, loadKeyring } from '../keys/keyring.ts'
import { isOnItsWay, resume } from '../thread/outbox.ts'
import { currentToken, endSession } from './session.ts'
import { startTyping, stopTyping } from '../thread/typing.ts'
import { createStore, useStore } from '../ui/store.ts'
import { withVendorNames } from './vendor.ts'

const state = createStore<'open' | 'broken'>('open')

/** Whether events arrive. */
export const useLiveState = (): 'open' | 'broken' => useStore(state)

/** Keeps what is shown up to date for as long as a wallet is signed in. */
export function useLive(me: string): void {
  useEffect(() => {
    const stop = new AbortController()
    void follow(me, stop.signal)
    return () => stop.abort()
  }, [me])
}

async function follow(me: string, signal: AbortSignal): Promise<void> {
  const token = currentToken()
  if (!token) return
  // A stream that resumes loses nothing; the first one begins now, so what was read before is read again.
  let first = true
  try {
    for await (const event of readEvents(
      { baseUrl: '', token, fetch: withVendorNames(fetch) },
      {
        signal,
        onOpen: () => {
          if (first) void cache.invalidateQueries({ refetchType: 'active' })
          first = false
          state.set('open')
          if (keyring.get().state === 'unknown') loadKeyring().catch(() => {})
          resume()
        },
        onReconnect: () => state.set('broken'),
      },
    ))
      apply(me, event)
  } catch {
    // The token is no longer accepted.
    if (!signal.aborted) endSession(token)
  }
}

/** Puts one event into what is shown. */
function apply(me: string, event: ServiceEvent): void {
  switch (event.type) {
    case 'direct-message': {
      const { item } = event
      const toaddr = item.fromaddr === me ? item.toaddr : item.fromaddr
      const pair = { fromaddr: me, toaddr }
      const { nftaddr, nftid } = item
      const awaited = item.fromaddr === me && isOnItsWay(item.message)
      if (!awaited) insertItem('listConversation', pair, item)
      if (!awaited && nftaddr && nftid) insertItem('listNftConversation', { ...pair, nftaddr, nftid }, item)
      stopTyping(item.fromaddr, item.fromaddr)
      moveRow(
        me,
        (row) => row.context_type === 'dm' && peerOf(row, me) === toaddr,
        (row) => ({
          ...row,
          ...item,
          nftaddr: nftaddr ?? '',
          nftid: nftid ?? '',
          encrypted_sym_x_key: item.encrypted_sym_x_key ?? '',
          x_access_conditions: item.x_access_conditions ?? '',
          unread: row.unread + (item.toaddr === me && item.fromaddr !== me && !item.read ? 1 : 0),
        }),
      )
      return
    }
    case 'group-message': {
      const { item } = event
      if (item.fromaddr !== me || !isOnItsWay(item.message))
        insertItem('listGroupMessages', { address: item.nftaddr, useraddress: me }, item)
      stopTyping(item.nftaddr, item.fromaddr)
      moveRow(
        me,
        (row) => row.context_type !== 'dm' && row.nftaddr.toLowerCase() === item.nftaddr.toLowerCase(),
        (row) => ({ ...row, ...item, unread: row.unread + (item.fromaddr === me ? 0 : 1) }),
      )
      return
    }
    case 'read':
      changeItems('listConversation', (item) => (item.id === event.id ? { ...item, read: event.read } : item))
      changeItems('listNftConversation', (item) =>
        item.id === event.id ? { ...item, read: event.read } : item,
      )
      if (event.toaddr === me) readInboxAgain()
      return
    case 'deleted':
      changeItems('listConversation', (item) => (item.id === event.id ? undefined : item))
      changeItems('listNftConversation', (item) => (item.id === event.id ? undefined : item))
      readInboxAgain()
      return
    case 'conversation-deleted': {
      const pair = new Set([event.fromaddr, event.toaddr])
      const gone = (item: { fromaddr: string; toaddr: string }) =>
        pair.has(item.fromaddr) && pair.has(item.toaddr)
      changeItems('listConversation', (item) => (gone(item) ? undefined : item))
      changeItems('listNftConversation', (item) => (gone(item) ? undefined : item))
      readInboxAgain()
      return
    }
    case 'typing':
      startTyping(event.nftaddr ?? event.fromaddr, event.fromaddr)
      return
    case 'inbox':
      readInboxAgain()
      return
    case 'resync':
      void cache.invalidateQueries()
  }
}

/** The other end of a direct conversation. */
export const peerOf = ({ fromaddr, toaddr }: { fromaddr: string; toaddr: string }, me: string): string =>
  fromaddr === me ? toaddr : fromaddr

/** Brings a row of the inbox up to date and to the top; a row that is not there is a reason to read the inbox again. */
function moveRow(me: string, is: (row: InboxItem) => boolean, change: (row: InboxItem) => InboxItem): void {
  if (cache.isFetching({ queryKey: ['getInbox'] }) > 0) readInboxAgain()
  cache.setQueryData<InboxItem[]>(['getInbox', { address: me }], (rows) => {
    const row = rows?.find(is)
    if (!rows || !row) {
      readInboxAgain()
      return rows
    }
    return [change(row), ...rows.filter((other) => other !== row)]
  })
}

let soon: ReturnType<typeof setTimeout> | undefined

/** Several changes at once are one reading. */
export function readInboxAgain(): void {
  clearTimeout(soon)
  soon = setTimeout(() => void cache.invalidateQueries({ queryKey: ['getInbox'] }), 150)
}
