import type { Client } from '../client.ts'
import { ApiError } from '../contract/errors.ts'
import { maybeTemporary } from '../retry.ts'
import { pages } from '../pages.ts'
import { untilAnswered } from './acting.ts'
import type { Journal } from './journal.ts'
import { ofDirectMessage, ofPost, type Received } from './received.ts'

interface Source {
  parley: Client
  address: string
  journal: Journal
  /** True when posts of chats are wanted. */
  withChats: boolean
  failed: (error: unknown) => void
  signal: AbortSignal
}

/** Yields what the stream may have left out, oldest first in each conversation; the journal knows which of it is done. */
export async function* missed(source: Source): AsyncGenerator<Received> {
  const { parley, address, journal, withChats, signal } = source
  const query = { after: journal.after() }
  for await (const page of pages(parley.listDirectMessages, { address, query }, untilAnswered(signal)))
    for (const item of page) yield ofDirectMessage(item)
  if (!withChats) return
  const joined = (await parley.listBookmarks({ address }, untilAnswered(signal))).map(
    ({ nftaddr }) => nftaddr,
  )
  journal.chats.keep(joined)
  for (const chat of joined) yield* postsOf(source, chat)
}

async function* postsOf(source: Source, chat: string): AsyncGenerator<Received> {
  const { parley, address, journal, failed, signal } = source
  const query = { after: journal.chats.after(chat), enter: false }
  try {
    for await (const page of pages(
      parley.listGroupMessages,
      { address: chat, useraddress: address, query },
      { signal },
    ))
      for (const item of page) if (!item.removed) yield ofPost(item)
  } catch (error) {
    signal.throwIfAborted()
    // The gate of the chat is closed to the wallet. When it opens, the stream says so, and it is read then.
    if (error instanceof ApiError && (error.code === 'forbidden' || error.code === 'not_found')) return
    if (!maybeTemporary(error)) throw error
    failed(error)
  }
}
