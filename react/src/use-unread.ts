import { createClientOf } from '@parley/sdk'
import { inbox } from '@parley/sdk/slices'
import { useMemo } from 'react'
import { readAgain } from './counted.ts'
import { follow } from './live.ts'
import { canonical } from './places.ts'
import { firstOf, type Resource, type Shown } from './shared.ts'
import { useResource } from './use-resource.ts'

interface State extends Shown {
  /** How many messages are unread; undefined until it is known. */
  count: number | undefined
}

export interface Unread extends State {
  reload: () => Promise<void>
}

const first = firstOf<State>({ count: undefined })

/**
 * How many messages are unread: of all conversations and chats, without requests of strangers and what is muted; or those of one
 * wallet.
 * @example
 * const { count = 0 } = useUnread()
 */
export function useUnread(peer?: string): Unread {
  const toaddr = peer && canonical(peer)
  const [state, , reload] = useResource(
    useMemo(() => unreadOf(toaddr), [toaddr]),
    first,
  )
  return { ...state, reload }
}

const unreadOf = (toaddr: string | undefined): Resource<State, undefined> => ({
  key: JSON.stringify(['unread', toaddr]),
  first,
  start: (run) => {
    const { me: fromaddr, signal } = run
    const client = createClientOf(run.options, inbox)
    return {
      load: async () => ({
        count: await (toaddr
          ? client.countUnreadOfConversation({ fromaddr, toaddr }, { signal })
          : client.countUnread({ address: fromaddr, query: { view: 'main' } }, { signal })),
      }),
      on: readAgain(run),
      actions: undefined,
    }
  },
  follow,
})
