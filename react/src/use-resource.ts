import { useCallback, useSyncExternalStore } from 'react'
import { useParley } from './context.ts'
import { show } from './entries.ts'
import type { Resource, Shown } from './shared.ts'

/** Shows a resource, memoised by what its key says. Returns its state, how to act while a wallet is signed in, and `reload`. */
export function useResource<State extends Shown, Actions>(
  resource: Resource<State, Actions>,
): [State, <Result>(act: (actions: Actions) => Result) => Result | undefined, () => Promise<void>] {
  const parley = useParley()
  const { key, first } = resource
  const state = useSyncExternalStore(
    useCallback((listener) => show(parley, resource as unknown as Resource, listener), [parley, resource]),
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
