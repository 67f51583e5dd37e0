import { createParser } from 'eventsource-parser'
import { type ClientOptions, send } from './client.ts'
import { fieldRenaming } from './contract/encryption.ts'
import type { ServiceEvent } from './contract/events.ts'
import { maybeTemporary, pause, waitAfter } from './retry.ts'
import { events } from './slices.ts'

export interface ReadEventsOptions {
  /** Ends the iteration. */
  signal?: AbortSignal
  /**
   * The position to resume from: the last value that `onPosition` got, in this or an earlier iteration. When it is left out, only
   * events from now on are read.
   */
  lastEventId?: string
  /** Receives each new position to resume from, after the event that belongs to it. */
  onPosition?: (lastEventId: string) => void
  /** Is called each time the stream opens. Read what you show now: later changes come as events. */
  onOpen?: () => void
  /**
   * Is called each time the connection breaks, before the retry, with what was thrown; undefined when the service ended the
   * stream.
   */
  onReconnect?: (error: unknown) => void
}

/** The first wait in milliseconds, where the service does not name one, and the longest. */
const firstWait = 1000
const longestWait = 30_000
/**
 * The milliseconds without a byte after which the connection counts as broken: the service sends every 20 seconds.
 */
const silence = 60_000
/** The number of events that are remembered, to leave out those that come again. */
const remembered = 2000
/** The maximum characters of an event. */
const maxEvent = 1024 * 1024

/**
 * Reads the events of the signed-in wallet: messages of all its conversations and joined chats,
 * read flags, deletions, typing.
 *
 * It connects again by itself when the connection breaks, resumes where it was, and gives each
 * event once. Messages of one conversation come in their order. A `resync` event says that events
 * may be missing: read again what you show. The waits between connections follow the service, not
 * {@link ClientOptions.retry}: it tries until the signal is aborted.
 *
 * It ends without an error when the signal is aborted. It throws an {@link ApiError} when the
 * service refuses the request, for instance when the token is no longer valid (`unauthorized`).
 * @example
 * const stop = new AbortController()
 * const service = { baseUrl: 'https://chat.example.org', token }
 * for await (const event of readEvents(service, { signal: stop.signal })) {
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
    let failure: unknown
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
    } catch (error) {
      if (!aborted() && !maybeTemporary(error)) throw error
      failure = error
    }
    if (aborted()) return
    onReconnect?.(failure)
    await pause(waitAfter(failure, ++failures, wait, longestWait), failure, signal)
  }
}

type Part =
  | { kind: 'open' }
  /** `number` is the same when an event comes again; an event that never comes again has none. */
  | { kind: 'event'; event: ServiceEvent; number: string | undefined }
  | { kind: 'position'; id: string }
  | { kind: 'retry'; milliseconds: number }

/** Reads one connection until it ends. A position comes after the event it belongs to. */
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
        retry: false,
        signal: cut.signal,
        headers: {
          accept: 'text/event-stream',
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
      },
    )
    yield { kind: 'open' }
    const { fromWire } = fieldRenaming(options.encryptionVendor)
    let parts: Part[] = []
    const parser = createParser({
      maxBufferSize: maxEvent,
      onEvent: ({ data, id }) =>
        parts.push({
          kind: 'event',
          event: JSON.parse(fromWire(data)) as ServiceEvent,
          number: id?.split('.')[1],
        }),
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

/**
 * The parser gives the position of a block before its event. It is moved behind the event: a reader
 * that stops between the two must not skip the event when it resumes.
 */
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

/** Returns a function that returns true for an id that is new among the last ids. */
function createMemory(size: number): (id: string) => boolean {
  const ids = new Set<string>()
  return (id) => {
    if (ids.has(id)) return false
    ids.add(id)
    if (ids.size > size) ids.delete(ids.values().next().value!)
    return true
  }
}
