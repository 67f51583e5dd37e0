// What the hooks of a page share.

import type { ClientOptions, ServiceEvent } from '@parley/sdk'
import type { Problem } from './problem.ts'
import type { Store } from './store.ts'

/** A wallet that is signed in. */
export interface Session {
  address: string
  token: string
  /** When the token ends, in milliseconds since 1970. */
  expires?: number
}

export interface SignInState {
  status: 'signed-out' | 'signing-in' | 'signed-in'
  /** The wallet that is signed in. */
  address: string | undefined
  error: Problem | undefined
}

/** Its fields are for the hooks alone, and may change in any version. */
export interface Parley {
  readonly service: Omit<ClientOptions, 'token'>
  readonly signIn: Store<SignInState>
  /** What components show, by its key. */
  readonly entries: Map<string, Entry>
  /** Stores the session, or removes it. */
  readonly remember: (session: Session | undefined) => void
  active: Active | undefined
}

/** What belongs to a session and ends with it. */
export interface Active {
  readonly me: string
  readonly options: ClientOptions
  live?: Live | undefined
}

/** The events of a session. */
export interface Live {
  /** Is settled when the stream is open, or when it is no use to wait for it. */
  ready: Promise<void>
  /** Why the service sends no events. */
  refused?: Problem
  stop: () => void
}

/** Every hook that reads something returns this. */
export interface Shown {
  status: 'signed-out' | 'loading' | 'ready' | 'failed'
  error: Problem | undefined
}

/** What a hook shows: what it is before anything is read, and how it is read. */
export interface Resource<State extends Shown = Shown, Actions = unknown> {
  /** Two hooks with the same key show the same. */
  key: string
  first: First<State>
  start: (run: Run<State>) => Started<State, Actions>
  /** Follows the events; left out where none change it. */
  follow?: (parley: Parley) => Live
}

export interface First<State extends Shown> {
  signedOut: State
  loading: State
}

/** One session of an entry, from its first reader to its last. */
export interface Run<State extends Shown> {
  readonly me: string
  readonly options: ClientOptions
  /** Is aborted when the session ends, or when nobody shows it. */
  readonly signal: AbortSignal
  readonly get: () => State
  readonly set: (change: Partial<State>) => void
  /** Reads it again, once at a time. */
  readonly refresh: () => Promise<void>
  /** Is settled when nothing is being read. */
  readonly whenRead: () => Promise<void>
  /** Returns what a failed call means. The session ends where the service does not accept it any longer. */
  readonly fail: (error: unknown) => Problem
}

interface Started<State extends Shown, Actions> {
  load: () => Promise<Partial<State>>
  on?: (event: ServiceEvent) => void
  /** Returns what has to stay when nobody shows it: `wait` while something is being sent, else what is stored. */
  keep?: () => 'wait' | Partial<State> | undefined
  actions: Actions
}

export interface Entry {
  readonly resource: Resource
  readonly listeners: Set<() => void>
  state: Shown
  /** The timer after which it is forgotten. */
  leaving: ReturnType<typeof setTimeout> | undefined
  run: (Started<Shown, unknown> & Pick<Run<Shown>, 'refresh' | 'set'> & { stop: () => void }) | undefined
}

/** Returns the states of a resource before it is read. */
export const firstOf = <State>(rest: Omit<State, 'status' | 'error'>): First<State & Shown> => ({
  signedOut: { ...rest, status: 'signed-out', error: undefined } as State & Shown,
  loading: { ...rest, status: 'loading', error: undefined } as State & Shown,
})
