import { type ChatItem, createClientOf, type ServiceEvent } from '@parley/sdk'
import { directMessages, readState } from '@parley/sdk/slices'
import { useCallback, useMemo } from 'react'
import { changeOf } from './conversation-events.ts'
import { follow } from './live.ts'
import { startOutbox, type ThreadActions } from './outbox.ts'
import { canonical, canonicalNft, type Nft } from './places.ts'
import type { Problem } from './problem.ts'
import type { Resource, Run } from './shared.ts'
import { emptyThread, startThread, type ThreadState, withItems } from './thread.ts'
import { type Thread, useThread } from './use-thread.ts'

export interface Conversation extends Thread<ChatItem> {
  /** Whether messages are encrypted. The hook neither reads nor writes those: people open the service's own page. */
  isEncrypted: boolean
  /** Marks what the other one has sent as read, up to the newest message. Call it when a person sees the messages. */
  markRead: () => Promise<void>
}

interface Actions extends ThreadActions {
  loadOlder: () => Promise<void>
  markRead: () => Promise<void>
}

const first = emptyThread<ChatItem>()

const hasEncrypted = (items: readonly ChatItem[]) =>
  items.some(({ encrypted_sym_x_key: key, x_access_conditions: conditions }) => key || conditions)

const encrypted: Problem = {
  code: 'encrypted',
  message: 'This conversation is encrypted. Open it at the service to write.',
}

export interface ConversationOptions {
  /** What is sent is about this token, and only messages about it are shown. */
  nft?: Nft | undefined
  /** Shows all messages with `nft` too: the other one may answer without naming the token. */
  whole?: boolean
}

/**
 * The messages between the signed-in wallet and another one, which may not be known yet; with `nft` only those about it, and what
 * is sent is about it too.
 * @example
 * const { messages, send } = useConversation(seller, { nft: { nftaddr, nftid: '721' } })
 */
export function useConversation(
  peer: string | undefined,
  { nft, whole = false }: ConversationOptions = {},
): Conversation {
  const toaddr = peer && canonical(peer)
  const { nftaddr, nftid } = nft ? canonicalNft(nft) : {}
  const { thread, act, items } = useThread(
    useMemo(
      () => (toaddr ? conversationWith(toaddr, nftaddr, nftid, whole) : undefined),
      [toaddr, nftaddr, nftid, whole],
    ),
    first,
  )
  const markRead = useCallback(async () => act((actions) => actions.markRead()), [act])
  return { ...thread, markRead, isEncrypted: hasEncrypted(items) }
}

function conversationWith(
  toaddr: string,
  nftaddr: string | undefined,
  nftid: string | undefined,
  whole: boolean,
): Resource<ThreadState<ChatItem>, Actions> {
  const nft = nftaddr !== undefined && nftid !== undefined ? { nftaddr, nftid } : undefined
  const key = JSON.stringify(['conversation', toaddr, nftaddr, nftid, whole])
  return { key, first, start: (run) => start(run, toaddr, nft, whole ? undefined : nft), follow }
}

/** What is sent is about `about`, and only what is about `nft` is shown. */
function start(
  run: Run<ThreadState<ChatItem>>,
  toaddr: string,
  about: Nft | undefined,
  nft: Nft | undefined,
) {
  const { me: fromaddr, get, set, signal } = run
  const client = createClientOf(run.options, { ...directMessages, ...readState })
  const pair = { fromaddr, toaddr }
  const thread = startThread<ChatItem>(run, (query, call) =>
    nft
      ? client.listNftConversation({ ...pair, ...nft, query }, call)
      : client.listConversation({ ...pair, query }, call),
  )
  const { keep, ...sending } = startOutbox<ChatItem>(run, {
    post: (message, call) => client.sendDirectMessage({ body: { ...pair, message, ...about } }, call),
    change: thread.change,
    refuse: (items) => (hasEncrypted(items) ? encrypted : undefined),
  })
  /** Reads one message again of which something has changed that an event does not have. */
  const readOne = async (id: number) => {
    const [item] = await thread.list({ after: id - 1, limit: 1 }, { signal })
    if (item?.id === id) thread.change(withItems([item]))
  }
  const on = (event: ServiceEvent) => {
    const by = changeOf(event, { me: fromaddr, peer: toaddr, nft })
    if (by) thread.change(by)
    else if ('id' in event && event.id && get().items.some(({ id }) => id === event.id))
      readOne(event.id).catch(run.fail)
  }
  let marked = 0
  const markRead = async () => {
    const last = get().items.findLast((item) => item.fromaddr === toaddr && !item.read)
    if (!last || last.id <= marked) return
    marked = last.id
    try {
      // Where very much is unread, one request marks a part of it.
      const input = { addr: toaddr, body: { id: last.id, context_type: 'dm', ...nft } } as const
      for (let before = -1, id = 0; before < id && id < last.id;) {
        before = id
        id = (await client.markReadTo(input, { signal })).id
      }
    } catch (error) {
      marked = 0
      if (!signal.aborted) set({ error: run.fail(error) })
    }
  }
  return { load: thread.load, on, keep, actions: { ...sending, loadOlder: thread.loadOlder, markRead } }
}
