// An entry is what one or more components show. It is read when the first of them comes, and forgotten when the last one has left.

import { ApiError } from '@parley/sdk'
import { problemOf } from './problem.ts'
import type { Problem } from './problem.ts'
import type { Active, Entry, Parley, Resource, Run, Session, Shown } from './shared.ts'
import { canonical } from './places.ts'

/** React in strict mode, and a component that moves, leave and come back at once. */
const grace = 1000

/** Has a component show a resource. Returns the function by which it leaves. */
export function show(parley: Parley, resource: Resource, listener: () => void): () => void {
  const { key, first } = resource
  const entry: Entry = parley.entries.get(key) ?? {
    resource,
    listeners: new Set(),
    state: first.signedOut,
    leaving: undefined,
    run: undefined,
  }
  parley.entries.set(key, entry)
  clearTimeout(entry.leaving)
  entry.leaving = undefined
  entry.listeners.add(listener)
  begin(parley, entry)
  return () => {
    entry.listeners.delete(listener)
    leave(parley, entry)
  }
}

/** Begins a session, or ends it: what the one before has shown is gone, and its requests and its stream end. */
export function setSession(parley: Parley, session: Session | undefined, error?: Problem): void {
  const before = [...parley.entries.values()]
  for (const entry of before) {
    entry.run?.stop()
    entry.run = undefined
    entry.state = entry.resource.first.signedOut
    if (entry.listeners.size === 0) forget(parley, entry)
  }
  parley.active?.live?.stop()
  const own = session && { ...session, address: canonical(session.address) }
  parley.active = own && { me: own.address, options: { ...parley.service, token: own.token } }
  parley.remember(own)
  for (const entry of parley.entries.values()) {
    begin(parley, entry)
    changed(entry)
  }
  parley.signIn.set({ status: own ? 'signed-in' : 'signed-out', address: own?.address, error })
}

/** Returns what a failed call of a session means, and ends the session where its token is no longer valid. */
export function failed(parley: Parley, active: Active, error: unknown): Problem {
  const problem = problemOf(error)
  const hasEnded = error instanceof ApiError && error.code === 'unauthorized'
  if (hasEnded && parley.active === active) setSession(parley, undefined, problem)
  return problem
}

function begin(parley: Parley, entry: Entry): void {
  const { active } = parley
  if (!active || entry.run) return
  const { resource } = entry
  const stop = new AbortController()
  const { signal } = stop
  const set = (change: Partial<Shown>) => {
    if (signal.aborted) return
    entry.state = { ...entry.state, ...change }
    changed(entry)
    leave(parley, entry)
  }
  const fail = (error: unknown) => failed(parley, active, error)
  let reading: Promise<void> | undefined
  let again = false
  const read = async () => {
    const live = resource.follow?.(parley)
    await live?.ready
    do {
      again = false
      try {
        const change = !signal.aborted && (await started.load())
        if (change) set({ ...change, status: 'ready', error: live?.refused })
      } catch (error) {
        if (signal.aborted) return
        const problem = fail(error)
        set({ error: problem, ...(entry.state.status === 'loading' && { status: 'failed' }) })
      }
    } while (again && !signal.aborted)
    reading = undefined
  }
  const refresh = async () => {
    again = true
    if (!signal.aborted) await (reading ??= read())
  }
  const { me, options } = active
  const whenRead = async () => reading
  const run: Run<Shown> = { me, options, signal, get: () => entry.state, set, refresh, whenRead, fail }
  const started = resource.start(run)
  entry.run = { ...started, refresh, set, stop: () => stop.abort() }
  entry.state = { ...resource.first.loading, ...entry.state, status: 'loading', error: undefined }
  void refresh()
}

function changed({ listeners }: Entry): void {
  for (const listener of listeners) listener()
}

/** Forgets an entry that nobody shows, after a moment. */
function leave(parley: Parley, entry: Entry): void {
  if (entry.listeners.size > 0 || entry.leaving !== undefined) return
  entry.leaving = setTimeout(() => {
    entry.leaving = undefined
    const kept = entry.run?.keep?.()
    if (kept !== 'wait') forget(parley, entry, kept)
  }, grace)
}

function forget(parley: Parley, entry: Entry, kept?: Partial<Shown>): void {
  clearTimeout(entry.leaving)
  entry.leaving = undefined
  entry.run?.stop()
  entry.run = undefined
  if (kept) entry.state = { ...entry.resource.first.loading, ...kept }
  else parley.entries.delete(entry.resource.key)
  const isFollowed = [...parley.entries.values()].some(({ run, resource }) => run && resource.follow)
  const { active } = parley
  if (isFollowed || !active?.live || active.live.refused) return
  active.live.stop()
  active.live = undefined
}
