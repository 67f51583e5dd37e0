// This file opens the reactions to encrypted messages. A conversation has two wallets, each with one sealed value.

import type { ChatItem } from '@parley/sdk'
import { useCallback } from 'react'
import type { Message, Reaction } from '../../messages/message.ts'
import { createStore, useStore } from '../../state/store.ts'
import type { Reacted, Target } from '../crypto/reaction.ts'
import { isOutdated, noteOpened, onHighestRead } from './highest.ts'
import { keyring, onOtherKeys } from './keyring.ts'
import { isKeyOf } from './proof.ts'
import type { Readable } from './readable.ts'

const opened = new Map<string, Reacted | 'waiting' | 'broken'>()
const version = createStore(0)
const changed = () => version.set(version.get() + 1)

onOtherKeys(() => {
  opened.clear()
  changed()
})
onHighestRead(changed)

/** Reactions to a message are shown like this. */
export type ReadReactions = Pick<Message, 'reactions' | 'reactors' | 'sealedReactions'>

/** Returns a function that returns the reactions to a message; while they are opened, and where they cannot be, it says so. */
export function useReactions(me: string): (item: ChatItem, readable: Readable) => ReadReactions {
  const current = useStore(version)
  // The function is new after each change, so that React computes again what depends on it.
  return useCallback((item, readable) => readAt(current, me, item, readable), [current, me])
}

function readAt(_version: number, me: string, item: ChatItem, { content, lock }: Readable): ReadReactions {
  if (!item.encrypted_sym_x_key || !item.reactions) return { reactions: item.reactions }
  // At an encrypted message emoji in the clear count for nothing: the service could have made them.
  const sealed = item.reactions.filter(({ value }) => value.startsWith('{'))
  if (!content) {
    const why = lock !== 'broken' ? 'waiting' : keyring.get().state === 'open' ? 'broken' : 'locked'
    return sealed.length > 0 ? { sealedReactions: { why, count: sealed.length } } : {}
  }
  const peer = item.fromaddr === me ? item.toaddr : item.fromaddr
  const found = sealed.map(({ value, mine }) => {
    const [fromaddr, toaddr] = mine ? [me, peer] : [peer, me]
    const { nftaddr, nftid, fromaddr: author } = item
    return read(value, { fromaddr, toaddr, nftaddr, nftid, author, cid: content.cid })
  })
  const reactors = found.flatMap((one) => (typeof one === 'object' ? [one] : []))
  const closed = found.filter((one) => typeof one === 'string')
  return {
    ...countsOf(reactors, me),
    ...(closed.length > 0 && {
      sealedReactions: { why: closed.includes('broken') ? 'broken' : 'waiting', count: closed.length },
    }),
  }
}

type Reactor = NonNullable<Message['reactors']>[number]

function countsOf(all: Reactor[], me: string): ReadReactions {
  const reactors = all.filter(({ values }) => values.length > 0)
  if (reactors.length === 0) return {}
  const reactions = [...new Set(reactors.flatMap(({ values }) => values))].map((value) => {
    const by = reactors.filter(({ values }) => values.includes(value)).map(({ wallet }) => wallet)
    const one: Reaction = { value, count: by.length }
    return by.includes(me) ? Object.assign(one, { mine: true as const }) : one
  })
  return { reactors, reactions: reactions.toSorted((one, other) => other.count - one.count) }
}

/** Returns the name under which the highest count of a wallet's reactions to a message is remembered. */
export const reactionName = ({ fromaddr, author, cid }: Target): string => `${author} ${cid} by ${fromaddr}`

/** Returns what a wallet has reacted with; the first call starts its decryption. Of an earlier reaction nothing is shown. */
function read(value: string, target: Target): Reactor | 'waiting' | 'broken' {
  const key = keyOf(value, target)
  const known = opened.get(key)
  if (known === 'waiting' || known === 'broken') return known
  const name = reactionName(target)
  if (known) {
    noteOpened(name, known.count)
    return { wallet: target.fromaddr, values: isOutdated(name, known.count) ? [] : known.values }
  }
  opened.set(key, 'waiting')
  void open(value, target)
    .then(
      (reacted) => opened.set(key, reacted),
      () => opened.set(key, 'broken'),
    )
    .then(changed)
  return 'waiting'
}

async function open(value: string, target: Target): Promise<Reacted> {
  const ring = keyring.get()
  const { openReaction } = await import('../crypto/reaction.ts')
  return openReaction(value, target, 'pairs' in ring ? ring.pairs : [], isKeyOf)
}

/** Remembers a reaction that was encrypted here, so that it is shown at once. */
export function rememberReaction(value: string, target: Target, reacted: Reacted): void {
  opened.set(keyOf(value, target), reacted)
}

const keyOf = (value: string, { fromaddr, toaddr, nftaddr, nftid, author, cid }: Target): string =>
  JSON.stringify([value, fromaddr, toaddr, nftaddr, nftid, author, cid])
