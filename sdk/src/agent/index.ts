// An agent is a program that replies for a wallet. It is for Node.js: it stores in a file what it has done.

import { type ClientOptions, createClient } from '../client.ts'
import type { ServiceEvent } from '../contract/events.ts'
import { readEvents } from '../events.ts'
import { missed } from './catch-up.ts'
import type { AgentStore } from './file-store.ts'
import { handle, handleEdit, type Handlers, type Handling } from './handle.ts'
import { type Journal, keyOfEdit, openJournal } from './journal.ts'
import { createLanes } from './lanes.ts'
import { type Edit, ofDirectMessage, ofEdit, ofPost, type Received } from './received.ts'
import { nameOf, walletOf } from './wallet.ts'

export { type AgentStore, fileStore } from './file-store.ts'
export { type Edited, type Handled, type Handler, type Handlers, MaybeAnswered } from './handle.ts'
export type { Received } from './received.ts'

export interface AgentOptions extends Pick<ClientOptions, 'baseUrl' | 'fetch' | 'encryptionVendor'> {
  /** An API key of the wallet, with `inbox:read` and the scope that the replies need: `dm:send`, `chat:post`. */
  key: string
  /** The store of what it has done: `fileStore(path)`. */
  store: AgentStore
  /** The maximum number of conversations that are worked on at once; 4 when left out. */
  atOnce?: number
  /** The maximum number of attempts of a handler that throws, the first one included; 3 when left out. */
  attempts?: number
  /**
   * Is called with the error, and the message that is left out because of it, if there is one. Printed without the text when left
   * out.
   */
  onError?: (error: unknown, message?: Received) => void
  /**
   * Is called when it listens, again each time after the connection was broken. Handlers receive what comes from the first time
   * on.
   */
  onReady?: () => void
}

export interface Agent extends AsyncDisposable {
  /**
   * Calls a function with each message of a kind: `dm` is a direct message from a wallet that this one has accepted, `request`
   * the first message from one that it has not, `mention` a post in a joined chat that mentions this wallet, `edited` one of these
   * that this agent has answered and whose author has edited it since.
   */
  on: <Kind extends keyof Handlers>(kind: Kind, handler: NonNullable<Handlers[Kind]>) => Agent
  /** Works until the signal is aborted. Throws when it cannot go on, such as without a valid key. */
  run: (signal?: AbortSignal) => Promise<void>
  /** Works until it is disposed of, as `await using` does. `onError` receives what ends it before. */
  start: () => Agent
}

/**
 * Creates an agent for the wallet whose API key it has. It gives each message to its handler, those of one conversation in their
 * order, and goes on where it was when it is started again.
 * @example
 * await using bot = agent({ baseUrl, key, store: fileStore('agent.json') })
 *   .on('dm', ({ text, reply }) => reply(`You wrote: ${text}`))
 *   .start()
 */
export function agent(options: AgentOptions): Agent {
  const handlers: Handlers = {}
  const stop = new AbortController()
  let running: Promise<void> | undefined
  const { onError = print } = options
  const run = (signal?: AbortSignal): Promise<void> => {
    if (running) throw new Error('This agent runs already.')
    return (running = work(options, handlers, AbortSignal.any([stop.signal, ...(signal ? [signal] : [])])))
  }
  const self: Agent = {
    on(kind, handler) {
      handlers[kind] = handler
      return self
    },
    run,
    start() {
      run().catch((error: unknown) => onError(error))
      return self
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running?.catch(() => undefined)
    },
  }
  return self
}

const print = (error: unknown, message?: Received): void =>
  console.error(`agent: ${message ? `message ${message.id} is passed over: ` : ''}${String(error)}`)

async function work(options: AgentOptions, handlers: Handlers, outside: AbortSignal): Promise<void> {
  const { baseUrl, key, store, onError = print } = options
  const broken = new AbortController()
  const signal = AbortSignal.any([outside, broken.signal])
  const fail = (error: unknown) => broken.abort(error)
  const service = {
    baseUrl,
    token: key,
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.encryptionVendor !== undefined && { encryptionVendor: options.encryptionVendor }),
  }
  const parley = createClient(service)
  const wallet: Handling['wallet'] = await walletOf(parley, outside)
  const journal = await openJournal(store, wallet.address, fail)
  const passedOver = (error: unknown, message: Received) => onError(error, message)
  const handling = { parley, wallet, journal, handlers, attempts: options.attempts ?? 3, passedOver, signal }
  const inbox = createInbox(handling, options.atOnce ?? 4, fail)
  try {
    await listen(options, handling, service, inbox)
  } catch (error) {
    if (!signal.aborted) fail(error)
  }
  await inbox.idle()
  await journal.save()
  if (broken.signal.aborted) throw broken.signal.reason
}

/** Reads the stream until the agent ends. */
async function listen(
  { onError = print, onReady }: AgentOptions,
  handling: Handling,
  service: ClientOptions,
  inbox: ReturnType<typeof createInbox>,
): Promise<void> {
  const { parley, wallet, journal, handlers, signal } = handling
  const withChats = handlers.mention !== undefined
  const readName = async () => {
    if (withChats) wallet.name = await nameOf(parley, wallet.address, signal)
  }
  await readName()
  const catchUp = async () => {
    const caughtUp = await journal.fallBehind()
    const source = { parley, address: wallet.address, journal, withChats, failed: onError, signal }
    for await (const message of missed(source)) await inbox.take(message)
    caughtUp()
  }
  if (journal.isBehind()) await catchUp()
  const position = journal.position()
  const events = readEvents(service, {
    signal,
    ...(position !== undefined && { lastEventId: position }),
    onOpen() {
      readName().catch(() => undefined)
      if (journal.position() !== undefined) onReady?.()
    },
    onPosition(id) {
      if (journal.reach(id)) journal.save().then(onReady, inbox.fail)
    },
  })
  for await (const event of events) {
    if (event.type === 'direct-message') await inbox.take(ofDirectMessage(event.item))
    else if (event.type === 'group-message') await inbox.take(ofPost(event.item))
    else if (event.type === 'edited' && handlers.edited && !event.writing)
      await inbox.takeEdit(ofEdit(event.item))
    else if (event.type === 'inbox') noteChat(journal, event)
    else if (event.type === 'resync' && event.change === undefined && journal.position() !== undefined)
      await catchUp()
  }
}

function noteChat({ chats }: Journal, { change, nftaddr }: Extract<ServiceEvent, { type: 'inbox' }>): void {
  if (nftaddr === undefined) return
  if (change === 'joined') chats.joined(nftaddr)
  if (change === 'left') chats.left(nftaddr)
}

/** Runs the messages in lanes: one for each conversation and chat. */
function createInbox(handling: Handling, atOnce: number, fail: (error: unknown) => void) {
  const { journal, signal } = handling
  const lanes = createLanes(atOnce)
  const run = ({ chat, from }: Received, task: () => Promise<void>) =>
    lanes.run(chat === undefined ? `d${from}` : `c${chat}`, async () => {
      try {
        await task()
      } catch (error) {
        // The next run does what was not done.
        if (!signal.aborted) fail(error)
      }
    })
  return {
    fail,
    idle: () => lanes.idle(),
    async take(message: Received): Promise<void> {
      if (signal.aborted || journal.knows(message.id)) return
      await lanes.room()
      const done = journal.take(message.id, message.chat)
      run(message, async () => {
        await handle(handling, message)
        const wasBegun = journal.begun(message.id) !== undefined
        done()
        if (wasBegun) await journal.save()
      })
    },
    async takeEdit(edit: Edit | undefined): Promise<void> {
      if (signal.aborted || !edit || edit.from === handling.wallet.address) return
      await lanes.room()
      const done = journal.take(keyOfEdit(edit))
      run(edit, async () => {
        await handleEdit(handling, edit)
        done()
      })
    },
  }
}
