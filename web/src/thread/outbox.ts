// The service has not acknowledged these messages. This browser stores them, so that nothing is lost when the page is
// closed or the connection breaks, and one tab sends them in order, thread by thread. A message that was written after
// a refused one waits for it, so that nothing is read in another order than it was written in. The id of an entry is
// its Idempotency-Key, so repeating it never sends it twice. A repetition must have the same body: an entry is
// encrypted once, before it is first sent. Edits and reactions of stored messages are sent in their turn too, and wait
// for nothing that was refused. An edit names the revision that its writer has seen, so it never replaces a newer one.
// A message that is not sent yet can get another text (`rewriting.ts`).

import { ApiError, type ChatItem, type GroupChatItem, newIdempotencyKey } from '@parley/sdk'
import { maybeTemporary, withRetry } from '@parley/sdk/retry.ts'
import { useMemo } from 'react'
import { describeError } from '../service/describe-error.ts'
import { currentAccount, onAccountChange } from '../service/session.ts'
import { showNotice } from '../state/notice.ts'
import { useStore } from '../state/store.ts'
import {
  acknowledge,
  type Change,
  change,
  discard as drop,
  type Entry,
  entryOf,
  isMessage,
  keep,
  nextTimestamp,
  onOtherTab,
  outbox,
  type Outgoing,
  reload,
  showChangesBy,
} from './entries.ts'
import { reactedMyself } from './reaction-lists.ts'
import { edited, isSealed, request } from './requests.ts'
import { editAfter, uploadedAgain, withText } from './rewriting.ts'
import { inTurn, stopAll } from './tab-lock.ts'
import { problemOf, untilAnswered } from './until-answered.ts'

type Prepare = (entry: Entry, signal: AbortSignal) => Promise<Entry | undefined>
let prepare: Prepare = async (entry) => entry

/** Sets the step that prepares an entry before it is first sent. It returns undefined when its writer stops that. */
export function beforeSending(step: Prepare): void {
  prepare = step
}

showChangesBy((entry, sent) => {
  if (entry.endpoint === 'react') reactedMyself(entry.about, entry.body.values)
  else if (sent !== true) edited(sent as ChatItem | GroupChatItem)
})

onAccountChange(() => {
  stopAll()
  reload()
  resume()
})

onOtherTab(({ thread }) => start(thread, false))

// The visible tab sends.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') resume(true)
})

/** Returns the entries of a thread, oldest first. */
export function useOutbox(thread: string): Entry[] {
  const all = useStore(outbox)
  return useMemo(() => all.filter((entry) => entry.thread === thread), [all, thread])
}

/** Queues a message and sends it as soon as that is possible. */
export function enqueue(
  entry: Outgoing & Change & Pick<Entry, 'histories' | 'thread' | 'text'> & Partial<WithUploads>,
): void {
  keep({ id: newIdempotencyKey(), ...entry, timestamp: nextTimestamp(), state: 'sending' })
  start(entry.thread, true)
}

/** Sends a refused message once more, also before an earlier one that is still refused. */
export function retry(id: string): void {
  const entry = change(id, (one) => ({ ...asNew(one), ahead: true }))
  if (entry) start(entry.thread, true)
}

/**
 * Gives a message that is not sent yet another text; one that was refused is sent once more. Returns false when it is
 * not here any more: it was sent, or deleted in another tab.
 */
export function rewrite(id: string, text: string, changed: Change): boolean {
  const entry = change(id, (one) => {
    const next = asNew(withText(one, text, changed))
    return isRefused(one) ? { ...next, ahead: true } : next
  })
  if (entry) start(entry.thread, true)
  return entry !== undefined
}

/** Deletes a refused message: what was written after it is sent. */
export function discard(id: string): void {
  const entry = entryOf(id)
  drop(id)
  if (entry) start(entry.thread, true)
}

/** A message with files has its id before. */
type WithUploads = Required<Pick<Entry, 'id' | 'uploads'>>

/** Pauses the upload of a message, which waits then, or continues it. What was written after it is sent. */
export function pause(id: string, isPaused: boolean): void {
  const entry = change(id, ({ paused: _paused, ...one }) =>
    isPaused ? { ...one, state: 'waiting', problem: 'You have paused it.', paused: true } : asNew(one),
  )
  if (entry) start(entry.thread, true)
}

const asNew = ({ problem: _problem, code: _code, again: _again, ...entry }: Entry): Entry => ({
  ...entry,
  state: 'sending',
})

/** This records what was tried again, and because of which sign. */
const tried = new Set<string>()

/**
 * Sends again what a wallet did not take before it had replied. `sign` names what says that it takes more now, which
 * may be wrong: each is believed once.
 */
export function retryAnswered(peer: string, sign: number): void {
  for (const { id, endpoint, body, state, code, thread } of outbox.get()) {
    if (state !== 'failed' || code !== 'request_pending') continue
    if (endpoint !== 'sendDirectMessage' || body.toaddr !== peer || tried.has(`${id} ${sign}`)) continue
    tried.add(`${id} ${sign}`)
    if (change(id, asNew)) start(thread, false)
  }
}

/** Sends everything that has not been refused: in this tab, or in the one that is doing it. */
export function resume(takeOver = false): void {
  for (const thread of new Set(outbox.get().map((entry) => entry.thread))) start(thread, takeOver)
}

const isRefused = ({ state, code }: Entry) => state === 'failed' && code !== 'behind'

/** Returns the entries of a thread that may be sent, and those that are sent after a refused one. */
function split(thread: string): { free: Entry[]; behind: Entry[] } {
  const all = outbox.get().filter((entry) => entry.thread === thread)
  const refused = all.findIndex((entry) => isRefused(entry) && isMessage(entry))
  const mayGo = (entry: Entry, at: number) =>
    refused < 0 || at < refused || entry.ahead === true || !isMessage(entry)
  const rest = all.filter((entry) => !isRefused(entry) && !entry.paused)
  const free = rest.filter((entry) => mayGo(entry, all.indexOf(entry)))
  return { free, behind: rest.filter((entry) => !free.includes(entry)) }
}

const nextOf = (thread: string) => split(thread).free[0]

/** Shows what is not sent because an earlier message was refused. */
function hold(thread: string): void {
  for (const { id } of split(thread).behind.filter(({ state }) => state !== 'failed'))
    change(id, (entry) => ({
      ...entry,
      state: 'failed',
      code: 'behind',
      problem: 'The message above goes first.',
    }))
}

function start(thread: string, takeOver: boolean): void {
  const me = currentAccount()?.address
  hold(thread)
  if (me && nextOf(thread)) void inOrder(me, thread, takeOver)
}

async function inOrder(me: string, thread: string, takeOver: boolean): Promise<void> {
  const name = `parley.outbox.${me} ${thread}`
  const ended = await inTurn(name, takeOver, (signal) => sendAll(thread, signal))
  // An entry was added at that moment, or another tab has taken over and may be closed.
  if (ended && currentAccount()?.address === me) start(thread, false)
}

async function sendAll(thread: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    hold(thread)
    const entry = nextOf(thread)
    if (!entry || signal.aborted) return
    if (entry.state === 'failed') change(entry.id, asNew)
    try {
      await withRetry(() => send(entry.id, signal), maybeTemporary, untilAnswered(entry.id), signal)
    } catch (error) {
      if (signal.aborted) return
      // What was refused is not the text that it has now.
      if (isMessage(entry) && entryOf(entry.id)?.text !== entry.text) continue
      if (entry.endpoint === 'react') {
        drop(entry.id)
        showNotice(`Couldn’t react. ${describeError(error)}`)
        continue
      }
      const code = error instanceof ApiError ? error.code : undefined
      change(entry.id, ({ ahead: _ahead, code: _before, ...one }) => ({
        ...one,
        state: 'failed',
        problem: problemOf(one, error),
        ...(code && { code }),
        ...(error instanceof ApiError && error.current !== undefined && { late: true }),
      }))
    }
  }
}

async function send(id: string, signal: AbortSignal): Promise<void> {
  let entry = entryOf(id)
  if (!entry) return
  while (!entry.prepared) {
    const { text, encrypt } = entry
    const ready = await prepare(entry, signal)
    signal.throwIfAborted()
    if (!ready) return
    const { body, files, uploads } = ready
    // It may have got another text meanwhile, or lost a file, which is prepared then.
    const isSame = (one: Entry) =>
      !one.prepared && one.text === text && one.encrypt === encrypt && one.uploads?.length === uploads?.length
    entry = change(id, (one) =>
      isSame(one) ? ({ ...one, body, ...(files && { files }), prepared: true } as Entry) : one,
    )
    if (!entry) return
  }
  // What was written to be encrypted is never sent in the clear.
  if (entry.encrypt && !isSealed(entry)) throw new ApiError('conflict', 'It was not encrypted.')
  const answer = await requestOrAgain(entry, signal)
  if (!answer) return
  const { sent, text } = answer
  await acknowledge(entry, sent, (present) => editAfter(present, sent, text, nextTimestamp()))
}

/** Sends an entry that is prepared. Its files may be gone, which the service keeps for a day: then they are uploaded again. */
async function requestOrAgain(entry: Entry, signal: AbortSignal) {
  try {
    return await request(entry, signal)
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === 'not_found' && entry.uploads && !entry.again
    if (!isGone || !change(entry.id, uploadedAgain)) throw error
    return undefined
  }
}
