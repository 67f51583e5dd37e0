// An encrypted reply says which text it replies to. This file compares that with the message that the service names.

import type { ChatItem } from '@parley/sdk'
import { pause } from '@parley/sdk/retry.ts'
import { useCallback } from 'react'
import type { QuoteCheck } from '../../messages/message.ts'
import { cache, query } from '../../service/api.ts'
import { createStore, useStore } from '../../state/store.ts'
import type { Content, Re } from '../crypto/scheme.ts'
import { onOtherKeys } from './keyring.ts'
import type { Readable } from './readable.ts'
import { openVersion } from './versions.ts'

const checks = new Map<string, QuoteCheck>()
const version = createStore(0)
const changed = () => version.set(version.get() + 1)

// More keys open more versions.
onOtherKeys(() => {
  checks.clear()
  changed()
})

interface Quoted {
  item: ChatItem
  readable: Readable
}

/** Returns a function that says whether an encrypted reply fits what it is shown to reply to; undefined when nothing is to be said. */
export function useQuoteCheck(): (reply: Quoted, quoted: Quoted | undefined) => QuoteCheck | undefined {
  const current = useStore(version)
  // The function is new after each change, so that React computes again what depends on it.
  return useCallback((reply, quoted) => checkAt(current, reply, quoted), [current])
}

function checkAt(_version: number, { item, readable }: Quoted, quoted: Quoted | undefined) {
  if (!readable.content) return undefined
  const { re } = readable.content
  if (!re && item.reply_to === undefined) return undefined
  // The service has added, removed or changed what it is a reply to.
  if (!re || item.reply_to === undefined) return 'wrong'
  if (!quoted) return undefined
  const { lock, content } = quoted.readable
  if (lock === 'broken' || (!content && quoted.item.encrypted_sym_x_key)) return undefined
  const { id, revision, message, encrypted_sym_x_key } = quoted.item
  const key = JSON.stringify([re, id, revision, message, encrypted_sym_x_key])
  const known = checks.get(key)
  if (known) return known
  checks.set(key, 'checking')
  void compare(re, quoted)
    .then(
      (result) => checks.set(key, result),
      // Without a response it is compared again after a while.
      () => pause(10_000, undefined, undefined).then(() => checks.delete(key)),
    )
    .then(changed)
  return 'checking'
}

/** Compares what a reply is to with the message as it is, and then with what stood in it before. */
async function compare({ h }: Re, { item, readable }: Quoted): Promise<QuoteCheck> {
  const { quoteHash } = await import('../crypto/quote.ts')
  const { fromaddr } = item
  const fits = async (text: string, { cid, rev }: Partial<Content> = {}) =>
    (await quoteHash({ fromaddr, cid: cid ?? '', rev: rev ?? 0, text })) === h
  if (await fits(readable.text, readable.content)) return 'fits'
  if (!item.revision) return 'wrong'
  const versions = await cache.fetchQuery({ ...query('listEdits', { id: item.id }), staleTime: 0 })
  for (const one of versions) {
    const opened = await openVersion(item, one)
    if (opened && (await fits(opened.text, opened.content))) return 'edited'
  }
  return 'wrong'
}
