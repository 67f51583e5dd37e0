// The journal stores what an agent has done, so that it goes on there after its process was killed at any moment.
//
// A position of the stream is stored when everything before it is done. What is done already after that position is named one by
// one, and so is what was begun: only a message that was begun may have an answer that nobody wrote down.

import type { AgentStore } from './file-store.ts'
import type { Edit } from './received.ts'

export type Kind = 'dm' | 'mention' | 'request' | 'edited'

/** Names a message by its id, and an edit by a text. */
export type JournalKey = number | `${number}e${number}`
export const keyOfEdit = ({ id, revision }: Edit): JournalKey => `${id}e${revision}`

/**
 * A message that a handler has received: the time of the first attempt (epoch milliseconds), and in which role it was received.
 */
interface Begun {
  at: number
  kind: Kind
  /** The first part of each reply that grows, by its number. */
  texts?: Record<number, string>
}

/** A message that is answered: the time of that, and the revision. */
interface Answered {
  at: number
  revision: number
}

interface State {
  version: 1
  /** The wallet that the agent runs for. */
  wallet: string
  /** Everything up to this position of the stream is done. */
  position: string
  /** The first position: the agent ignores what is older. */
  since: number
  /** Ids of messages that are done, although the position is before them. */
  done: number[]
  begun: Record<string, Begun>
  /** What edits are compared with, by the id of the message. It is empty where no handler receives edits. */
  answered: Record<string, Answered>
  /** For each chat, the last post up to which everything is done, also where posts were held back for a while. */
  chats: Record<string, number>
  /** This is not 0 while the agent must read lists for what the stream has left out. */
  behind: number
}

/** Milliseconds after which a position is written that nothing depends on. */
const laziness = 1_000
/** A message can be edited for this many milliseconds. An edit that began earlier does not come again. */
const editable = 24 * 3_600_000
/** The maximum number of messages whose edits are noticed. */
const mostAnswered = 1_000

export type Journal = Awaited<ReturnType<typeof openJournal>>

/** Reads the journal. Throws when the text is damaged or belongs to another wallet: a new journal never starts by itself. */
export async function openJournal(store: AgentStore, wallet: string, failed: (error: unknown) => void) {
  const state = parse(await store.load(), wallet)
  const done = new Set(state.done)
  const writing = createWriter(store, () => JSON.stringify({ ...state, done: [...done] }), failed)
  /** The events of the stream in their order: messages that are not done, and the positions between them. */
  const line: { isDone: boolean; position?: string; caughtUp?: number }[] = []
  const open = new Set<JournalKey>()

  function advance(): void {
    let reached: string | undefined
    while (line[0]?.isDone) {
      const { position, caughtUp } = line.shift()!
      reached = position ?? reached
      if (caughtUp === state.behind) state.behind = 0
    }
    if (reached === undefined) return
    state.position = reached
    for (const id of done) if (id <= numberOf(reached)) done.delete(id)
    forgetBegun(state, open)
  }

  return {
    /** Undefined before the first position is known. */
    position: () => state.position || undefined,
    /** The number after which messages may be missing. */
    after: () => numberOf(state.position),
    chats: {
      after: (chat: string) => state.chats[chat] ?? state.since,
      joined(chat: string) {
        state.chats[chat] ??= numberOf(state.position)
      },
      left(chat: string) {
        delete state.chats[chat]
      },
      /** Forgets all other chats. */
      keep(joined: Iterable<string>) {
        const all = new Set(joined)
        state.chats = Object.fromEntries(Object.entries(state.chats).filter(([chat]) => all.has(chat)))
      },
    },
    isBehind: () => state.behind > 0,
    /**
     * Writes that lists must be read, also after a kill. The caller calls the returned function when it has taken all of them.
     */
    async fallBehind(): Promise<() => void> {
      const number = ++state.behind
      await writing.now()
      return () => {
        line.push({ isDone: true, caughtUp: number })
        advance()
        writing.later()
      }
    },
    /** Returns true when a message is done or in work. */
    knows: (id: number) => open.has(id) || done.has(id),
    /** Notes a position from the stream. Returns true when it is the first one. */
    reach(position: string): boolean {
      const isFirst = state.position === ''
      if (isFirst) [state.position, state.since] = [position, numberOf(position)]
      line.push({ position, isDone: true })
      advance()
      writing.later()
      return isFirst
    },
    /** Notes a message or an edit that must be done now. The caller calls the returned function when it is done. */
    take(key: JournalKey, chat?: string): () => void {
      const entry = { isDone: false }
      line.push(entry)
      open.add(key)
      return () => {
        entry.isDone = true
        open.delete(key)
        delete state.begun[key]
        if (typeof key === 'number') {
          done.add(key)
          if (chat !== undefined) state.chats[chat] = Math.max(key, state.chats[chat] ?? 0)
        }
        advance()
        writing.later()
      }
    },
    ...beginningsOf(state, writing.now),
    ...answersOf(state),
    save: writing.now,
  }
}

/** What the agent has begun, each time with a call that writes it. */
const beginningsOf = (state: State, write: () => Promise<void>) => ({
  /** Returns what was begun before, by this process or an earlier one. */
  begun: (key: JournalKey): Begun | undefined => state.begun[key],
  /** Writes that a handler receives a message. */
  begin(key: JournalKey, begun: Begun): Promise<void> {
    state.begun[key] ??= begun
    return write()
  },
  /** Writes the first part of a reply that grows, before it is sent. */
  async beginText(key: JournalKey, number: number, text: string): Promise<void> {
    const begun = state.begun[key]
    if (!begun || begun.texts?.[number] === text) return
    begun.texts = { ...begun.texts, [number]: text }
    await write()
  },
})

const answersOf = (state: State) => ({
  /** Returns the revision of a message that was answered; undefined for others. */
  answered: (id: number): number | undefined => state.answered[id]?.revision,
  /** Notes that a message is answered, and forgets those that are edited no longer. */
  answer(id: number, revision: number): void {
    state.answered[id] = { at: state.answered[id]?.at ?? Date.now(), revision }
    const all = Object.entries(state.answered)
    for (const [n, [key, { at }]] of all.entries())
      if (Date.now() - at > editable || n < all.length - mostAnswered) delete state.answered[key]
  },
})

/** Forgets what was begun and does not come again: its message was deleted meanwhile. */
function forgetBegun(state: State, open: ReadonlySet<JournalKey>): void {
  const reached = numberOf(state.position)
  for (const [key, { at, kind }] of Object.entries(state.begun)) {
    // The event of an edit is later than the id in its key.
    if (kind === 'edited') {
      if (Date.now() - at > 2 * editable && !open.has(key as JournalKey)) delete state.begun[key]
    } else if (Number(key) <= reached && !open.has(Number(key)) && state.behind === 0) delete state.begun[key]
  }
}

/** The part of a position that counts: the stream has shown everything up to this id. */
const numberOf = (position: string): number => Number(position.split('.')[0])

function parse(text: string | undefined, wallet: string): State {
  if (text === undefined)
    return {
      version: 1,
      wallet,
      position: '',
      since: 0,
      done: [],
      begun: {},
      answered: {},
      chats: {},
      behind: 0,
    }
  let state: State
  try {
    state = JSON.parse(text)
  } catch {
    throw new Error(
      'The file of the agent is damaged: it holds no JSON. Restore it, or delete it and start again.',
    )
  }
  if (state?.version !== 1) throw new Error('The file of the agent is of another version of the SDK.')
  if (state.wallet !== wallet)
    throw new Error(`The file of the agent is of the wallet ${state.wallet}, and the key of ${wallet}.`)
  // A file of an earlier release has none.
  return { ...state, answered: state.answered ?? {} }
}

/** Writes the latest text, one write at a time: all calls during one write share the next one. */
function createWriter(store: AgentStore, textOf: () => string, failed: (error: unknown) => void) {
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  function now(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    next ??= current.then(() => {
      next = undefined
      return store.save(textOf())
    })
    current = next.catch(() => undefined)
    return next
  }
  return {
    now,
    later: () => void (timer ??= setTimeout(() => void now().catch(failed), laziness)),
  }
}
