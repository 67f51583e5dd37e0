import { useCallback, useSyncExternalStore } from 'react'
import { useParley } from './context.ts'
import { show } from './entries.ts'
import type { First, Resource, Shown } from './shared.ts'

/** Shows a resource, memoised by what its key says; without one it is as before the first read. Returns its state, how to act while a wallet is signed in, and `reload`. */
export function useResource<State extends Shown, Actions>(
  resource: Resource<State, Actions> | undefined,
  first: First<State>,
): [State, <Result>(act: (actions: Actions) => Result) => Result | undefined, () => Promise<void>] {
  const parley = useParley()
  const key = resource?.key ?? ''
  const state = useSyncExternalStore(
    useCallback(
      (listener) =>
        resource
          ? show(parley, resource as unknown as Resource, listener)
          : parley.signIn.subscribe(listener),
      [parley, resource],
    ),
    () =>
      (parley.entries.get(key)?.state as State | undefined) ??
      (parley.active ? first.loading : first.signedOut),
    () => first.signedOut,
  )
  const act = useCallback(
    <Result>(by: (actions: Actions) => Result) => {
      const run = parley.entries.get(key)?.run
      return run && by(run.actions as Actions)
    },
    [parley, key],
  )
  const reload = useCallback(async () => parley.entries.get(key)?.run?.refresh(), [parley, key])
  return [state, act, reload]
}
