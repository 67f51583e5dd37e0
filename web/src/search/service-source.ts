// Messages for the index, from the service, opened with the keys of this device.

import type { ChatItem, InboxItem } from '@parley/sdk'
import { readAt } from '../device-store/read-at.ts'
import type { Content, KeyPair } from '../keys/crypto/scheme.ts'
import { noteOpened } from '../keys/state/highest.ts'
import { knownKey } from '../keys/state/known.ts'
import { decrypt } from '../keys/state/readable.ts'
import { peerOf } from '../names/peer.ts'
import { cache, client, inboxQuery, query } from '../service/api.ts'
import type { Row, Source } from './source.ts'

/** The browser gets time for other work after this many messages. */
const atOnce = 10

/** Resolves when the browser has nothing else to do, or after some seconds. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 })
    else setTimeout(resolve, 50)
  })

const isSealed = ({ encrypted_sym_x_key }: Pick<InboxItem, 'encrypted_sym_x_key'>) =>
  encrypted_sym_x_key !== ''

function rowsOf(me: string): Row[] | undefined {
  const rows = cache.getQueryData<InboxItem[]>(inboxQuery(me).queryKey)
  // The device stores only a part of the inbox.
  if (!rows || readAt.get() !== undefined) return undefined
  return rows
    .filter(({ context_type, id }) => context_type === 'dm' && id > 0)
    .map((row) => ({
      peer: peerOf(row, me),
      last: row.id,
      lastTime: Date.parse(row.timestamp),
      isSealed: isSealed(row),
    }))
}

export async function openHere(item: ChatItem, pairs: KeyPair[]): Promise<Content> {
  const content = await decrypt(item, pairs)
  noteOpened(content.id, content.rev)
  return content
}

/** The messages of a wallet. `isHasty` says that somebody waits. */
export function serviceSource(me: string, pairs: KeyPair[], isHasty: () => boolean): Source {
  let opened = 0
  return {
    rows: () => rowsOf(me),
    before: (peer, id, limit) =>
      client.listConversation({ fromaddr: me, toaddr: peer, query: { before: id, limit } }),
    since: (peer, time) =>
      client.listConversationSince({
        fromaddr: me,
        toaddr: peer,
        time: new Date(time).toISOString(),
        query: {},
      }),
    open: async (item) => {
      if (++opened % atOnce === 0 && !isHasty()) await whenIdle()
      return openHere(item, pairs)
    },
    maySeal: async ({ peer }) =>
      knownKey(peer) !== undefined || (await cache.fetchQuery(query('getKey', { address: peer }))).length > 0,
    now: () => Date.now(),
  }
}

const oneKey = (me: string, peer: string, id: number) =>
  ['listConversation', 'one', { fromaddr: me, toaddr: peer }, id] as const

/** Returns a message as it is now; undefined when it is gone. It is read again after a minute, or when it changes. */
export async function presentMessage(me: string, peer: string, id: number): Promise<ChatItem | undefined> {
  const pair = { fromaddr: me, toaddr: peer }
  const items = await cache.fetchQuery({
    queryKey: oneKey(me, peer, id),
    queryFn: () => client.listConversation({ ...pair, query: { before: id + 1, limit: 1 } }),
    retry: false,
  })
  return items.find((item) => item.id === id)
}

/** A message has changed: it is read again. */
export const forgetPresent = (isChanged: (id: number, peer: string) => boolean): void =>
  cache.removeQueries({
    predicate: ({ queryKey: [name, kind, pair, id] }) =>
      name === 'listConversation' &&
      kind === 'one' &&
      isChanged(id as number, (pair as { toaddr: string }).toaddr),
  })
