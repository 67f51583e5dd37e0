import { createClientOf, type InboxItem } from '@parley/sdk'
import { inbox } from '@parley/sdk/slices'
import { useCallback, useMemo } from 'react'
import { readAgain } from './counted.ts'
import { follow } from './live.ts'
import { firstOf, type Resource, type Shown } from './shared.ts'
import { useResource } from './use-resource.ts'

interface State extends Shown {
  /** The conversations and joined chats with their last messages, newest first. */
  rows: readonly InboxItem[]
  /** Whether there are more rows, which `loadMore` reads. */
  hasMore: boolean
}

export interface Inbox extends State {
  loadMore: () => Promise<void>
  reload: () => Promise<void>
}

export interface InboxOptions {
  /** `requests` are conversations that strangers have begun; `main`, which it is when left out, is the rest; `all` is both. */
  view?: 'main' | 'requests' | 'all'
}

const pageSize = 30
const largestPage = 1000
const first = firstOf<State>({ rows: [], hasMore: false })

/**
 * The conversations and chats of the signed-in wallet.
 * @example
 * const { rows } = useInbox()
 * return rows.map(({ name, message, unread }) => <p>{name}: {message} ({unread})</p>)
 */
export function useInbox({ view = 'main' }: InboxOptions = {}): Inbox {
  const [state, act, reload] = useResource(
    useMemo(() => inboxOf(view), [view]),
    first,
  )
  const loadMore = useCallback(async () => act((actions) => actions.loadMore()), [act])
  return { ...state, loadMore, reload }
}

const inboxOf = (
  view: NonNullable<InboxOptions['view']>,
): Resource<State, { loadMore: () => Promise<void> }> => ({
  key: JSON.stringify(['inbox', view]),
  first,
  start: (run) => {
    const client = createClientOf(run.options, inbox)
    let limit = pageSize
    return {
      load: async () => {
        const input = { address: run.me, query: { view, limit } }
        const rows = await client.getInbox(input, { signal: run.signal })
        return { rows, hasMore: rows.length === limit && limit < largestPage }
      },
      on: readAgain(run),
      actions: {
        loadMore: async () => {
          if (!run.get().hasMore) return
          limit = Math.min(run.get().rows.length + pageSize, largestPage)
          await run.refresh()
        },
      },
    }
  },
  follow,
})
