import { createParser } from 'eventsource-parser'
import { type ClientOptions, send } from './client.ts'
import { ApiError } from './contract/errors.ts'
import { events, type ServiceEvent } from './contract/events.ts'

export interface ReadEventsOptions {
  /** Ends the iteration. */
  signal?: AbortSignal
  /** Where to resume: what `onPosition` was last told, by this or an earlier iteration. Live from now when left out. */
  lastEventId?: string
  /** Told of each new position to resume from. */
  onPosition?: (lastEventId: string) => void
  /** Told whenever the stream is open. What happens from then on is told: the time to read what is shown. */
  onOpen?: () => void
  /** Told whenever the connection broke and is tried again. */
  onReconnect?: (error: unknown) => void
}

/** Milliseconds: the first wait, where the service does not name one, and the longest. */
const firstWait = 1000
const longestWait = 30_000
/** Three signs of life were missed, in milliseconds. */
const silence = 60_000
/** How many events are remembered, to know those that come again. */
const remembered = 2000
/** Characters an event may have. */
const maxEvent = 1024 * 1024

/**
 * What happens to the signed-in wallet, as it happens: messages of all its conversations and joined chats, read flags,
 * deletions, typing. Connects again by itself when the connection breaks, resumes where it was, and gives each event
 * once; messages of one conversation come in their order. A `resync` event says that something may have been missed: read
 * what is shown again. Ends quietly when the signal aborts; throws an {@link ApiError} when the token is not accepted
 * (any more) or the service refuses the request otherwise.
 * @example
 * const stop = new AbortController()
 * for await (const event of readEvents({ baseUrl: 'https://chat.example.org', token }, { signal: stop.signal })) {
 *   if (event.type === 'direct-message') show(event.item)
 *   if (event.type === 'resync') await reload()
 * }
 */
export async function* readEvents(
  options: ClientOptions,
  { signal, lastEventId, onPosition, onOpen, onReconnect }: ReadEventsOptions = {},
): AsyncGenerator<ServiceEvent, void, undefined> {
  const isNew = createMemory(remembered)
  let wait = firstWait
  let failures = 0
  const aborted = () => signal?.aborted === true
  while (!aborted()) {
    let retryAfter = 0
    try {
      for await (const part of connect(options, lastEventId, signal)) {
        failures = 0
        if (part.kind === 'open') onOpen?.()
        else if (part.kind === 'retry') wait = part.milliseconds
        else if (part.kind === 'position') {
          lastEventId = part.id
          onPosition?.(part.id)
        } else if (part.number === undefined || isNew(part.number)) yield part.event
      }
      if (!aborted()) onReconnect?.(undefined)
    } catch (error) {
      if (aborted()) return
      if (error instanceof ApiError) {
        if (error.status < 500 && error.code !== 'rate_limited') throw error
        retryAfter = (error.retryAfter ?? 0) * 1000
      }
      onReconnect?.(error)
    }
    const longest = Math.min(longestWait, wait * 2 ** failures++)
    await sleep(Math.max(retryAfter, longest * (0.5 + Math.random() / 2)), signal)
  }
}

type Part =
  | { kind: 'open' }
  /** `number` tells an event from others when it comes again; one that is never told again has none. */
  | { kind: 'event'; event: ServiceEvent; number: string | undefined }
  | { kind: 'position'; id: string }
  | { kind: 'retry'; milliseconds: number }

/** One connection, until it ends. A position comes after the event it belongs to. */
async function* connect(
  options: ClientOptions,
  lastEventId: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Part, void, undefined> {
  const cut = new AbortController()
  const abort = () => cut.abort()
  signal?.addEventListener('abort', abort)
  let watch = setTimeout(abort, silence)
  try {
    const response = await send(
      options,
      events.streamEvents,
      {},
      {
        signal: cut.signal,
        headers: {
          accept: 'text/event-stream',
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
      },
    )
    yield { kind: 'open' }
    let parts: Part[] = []
    const parser = createParser({
      maxBufferSize: maxEvent,
      onEvent: ({ data, id }) =>
        parts.push({ kind: 'event', event: JSON.parse(data) as ServiceEvent, number: id?.split('.')[1] }),
      onRetry: (milliseconds) => parts.push({ kind: 'retry', milliseconds }),
      onId: (id) => parts.push({ kind: 'position', id }),
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      clearTimeout(watch)
      watch = setTimeout(abort, silence)
      parser.feed(value)
      yield* inOrder(parts)
      parts = []
    }
  } finally {
    clearTimeout(watch)
    signal?.removeEventListener('abort', abort)
    cut.abort()
  }
}

/** The parser names the position of a block before its event; whoever stops between both must not have moved on. */
function* inOrder(parts: Part[]): Generator<Part> {
  let position: Part | undefined
  for (const part of parts) {
    if (part.kind === 'position') {
      if (position) yield position
      position = part
    } else {
      yield part
      if (position && part.kind === 'event') {
        yield position
        position = undefined
      }
    }
  }
  if (position) yield position
}

/** Tells whether an id is new, by the last ids it was asked for. */
function createMemory(size: number): (id: string) => boolean {
  const ids = new Set<string>()
  return (id) => {
    if (ids.has(id)) return false
    ids.add(id)
    if (ids.size > size) ids.delete(ids.values().next().value!)
    return true
  }
}

const sleep = (milliseconds: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
  })
