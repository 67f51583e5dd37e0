import { useMemo } from 'react'
import type { ThreadActions } from './outbox.ts'
import type { First, Resource, Shown } from './shared.ts'
import { type Item, messagesOf, type Sent, type ThreadState, type Unsent } from './thread.ts'
import { useResource } from './use-resource.ts'

export interface Thread<Of extends Item> extends Shown, ThreadActions {
  /** Oldest first; what is not sent yet comes last. */
  messages: readonly (Sent<Of> | Unsent)[]
  /** Whether there are older messages, which `loadOlder` reads. */
  hasOlder: boolean
  loadOlder: () => Promise<void>
  /** Reads the messages again, for instance after an error. */
  reload: () => Promise<void>
}

export function useThread<Of extends Item, Actions extends ThreadActions & Pick<Thread<Of>, 'loadOlder'>>(
  resource: Resource<ThreadState<Of>, Actions> | undefined,
  first: First<ThreadState<Of>>,
) {
  const [state, act, reload] = useResource(resource, first)
  const actions = useMemo(
    () => ({
      send: (message: string) => act(({ send }) => send(message)) ?? false,
      retry: (key: string) => act(({ retry }) => retry(key)),
      discard: (key: string) => act(({ discard }) => discard(key)),
      loadOlder: async () => act(({ loadOlder }) => loadOlder()),
      reload,
    }),
    [act, reload],
  )
  const messages = useMemo(() => messagesOf(state), [state])
  const { status, error, hasOlder } = state
  return {
    thread: { status, error, hasOlder, messages, ...actions } satisfies Thread<Of>,
    act,
    items: state.items,
  }
}
