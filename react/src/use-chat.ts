import { createClientOf, type GroupChatItem, type ServiceEvent } from '@parley/sdk'
import { groupChats } from '@parley/sdk/slices'
import { useMemo } from 'react'
import { edited, mapped, none } from './changes.ts'
import { follow } from './live.ts'
import { readNewer } from './newer.ts'
import { startOutbox } from './outbox.ts'
import { canonical } from './places.ts'
import type { Run } from './shared.ts'
import { type Change, emptyThread, startThread, type ThreadState, withItems } from './thread.ts'
import { type Thread, useThread } from './use-thread.ts'

export type Chat = Thread<GroupChatItem>

const first = emptyThread<GroupChatItem>()

/**
 * The messages of a chat: the name of a community, or the contract of NFTs. It may not be known yet.
 * @example
 * const { messages, send } = useChat('gallery')
 */
export function useChat(chat: string | undefined): Chat {
  const nftaddr = chat && canonical(chat)
  const resource = useMemo(() => {
    if (!nftaddr) return undefined
    const key = JSON.stringify(['chat', nftaddr])
    return { key, first, start: (run: Run<ThreadState<GroupChatItem>>) => start(run, nftaddr), follow }
  }, [nftaddr])
  return useThread(resource, first).thread
}

function start(run: Run<ThreadState<GroupChatItem>>, nftaddr: string) {
  const { me: fromaddr } = run
  const client = createClientOf(run.options, groupChats)
  const thread = startThread<GroupChatItem>(run, (query, call) =>
    client.listGroupMessages({ address: nftaddr, useraddress: fromaddr, query }, call),
  )
  const { keep, ...sending } = startOutbox<GroupChatItem>(run, {
    post: (message, call) => client.postGroupMessage({ body: { fromaddr, nftaddr, message } }, call),
    change: thread.change,
  })
  // A wallet that has not joined the chat gets no events of it.
  readNewer(run, thread)
  const on = (event: ServiceEvent) => thread.change(changeOf(event, nftaddr))
  return { load: thread.load, on, keep, actions: { ...sending, loadOlder: thread.loadOlder } }
}

/** Returns what an event changes in a chat. */
function changeOf(event: ServiceEvent, chat: string): Change<GroupChatItem> {
  switch (event.type) {
    case 'group-message':
      return isSame(event.item.nftaddr, chat) ? withItems([event.item]) : none
    case 'edited':
      return mapped((old) => ('toaddr' in event.item || old.id !== event.id ? old : edited(old, event.item)))
    case 'post-removed':
      return mapped((old) =>
        old.id === event.id ? { ...old, message: '', removed: true, removed_by: event.removed_by } : old,
      )
    default:
      return none
  }
}

/** The name of a community has no upper and lower case. */
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
