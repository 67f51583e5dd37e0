// The journal stores what an agent has done, so that it goes on there after its process was killed at any moment.
//
// A position of the stream is stored when everything before it is done. What is done already after that position is named one by
// one, and so is what was begun: only a message that was begun may have an answer that nobody wrote down.

import type { AgentStore } from './file-store.ts'

export type Kind = 'dm' | 'mention' | 'request'

/**
 * A message that a handler has received: the time of the first attempt (epoch milliseconds), and in which role it was received.
 */
interface Begun {
  at: number
  kind: Kind
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
  /** For each chat, the last post up to which everything is done, also where posts were held back for a while. */
  chats: Record<string, number>
  /** This is not 0 while the agent must read lists for what the stream has left out. */
  behind: number
}

/** Milliseconds after which a position is written that nothing depends on. */
const laziness = 1_000

export type Journal = Awaited<ReturnType<typeof openJournal>>

/** Reads the journal. Throws when the text is damaged or belongs to another wallet: a new journal never starts by itself. */
export async function openJournal(store: AgentStore, wallet: string, failed: (error: unknown) => void) {
  const state = parse(await store.load(), wallet)
  const done = new Set(state.done)
  const writing = createWriter(store, () => JSON.stringify({ ...state, done: [...done] }), failed)
  /** The events of the stream in their order: messages that are not done, and the positions between them. */
  const line: { isDone: boolean; position?: string; caughtUp?: number }[] = []
  const open = new Set<number>()

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
    // A message that was deleted meanwhile does not come again.
    for (const id of Object.keys(state.begun).map(Number))
      if (id <= numberOf(reached) && !open.has(id) && state.behind === 0) delete state.begun[id]
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
    /** Notes a message that must be done now. The caller calls the returned function when it is done. */
    take(id: number, chat?: string): () => void {
      const entry = { isDone: false }
      line.push(entry)
      open.add(id)
      return () => {
        entry.isDone = true
        open.delete(id)
        delete state.begun[id]
        done.add(id)
        if (chat !== undefined) state.chats[chat] = Math.max(id, state.chats[chat] ?? 0)
        advance()
        writing.later()
      }
    },
    /** Returns what was begun before, by this process or an earlier one. */
    begun: (id: number): Begun | undefined => state.begun[id],
    /** Writes that a handler receives a message. */
    begin(id: number, begun: Begun): Promise<void> {
      state.begun[id] ??= begun
      return writing.now()
    },
    save: writing.now,
  }
}

/** The part of a position that counts: the stream has shown everything up to this id. */
const numberOf = (position: string): number => Number(position.split('.')[0])

function parse(text: string | undefined, wallet: string): State {
  if (text === undefined)
    return { version: 1, wallet, position: '', since: 0, done: [], begun: {}, chats: {}, behind: 0 }
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
  return state
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
