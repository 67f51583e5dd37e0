// This is one client's event stream: Server-Sent Events (WHATWG HTML, section 9.2) over one response. README.md explains its
// states.

import type { ServerResponse } from 'node:http'
import type { ServiceEvent } from '@parley/sdk/contract/events.ts'
import { freeParser } from '../lib/free-parser.ts'
import { drained } from '../lib/wait-for-drain.ts'
import { streamsCut } from '../telemetry/metrics.ts'
import { type EventPlace, placeOfEvent } from './place-of-event.ts'

/** This is an event as bytes, made once for all streams that get it. Without an id it is no item of the log. */
export interface Frame {
  id: number | undefined
  bytes: Buffer
  /** The gate of this chat decides who gets it. */
  chat?: string
  /** Returns where its event happens; undefined where it concerns a wallet alone. It is read once for all streams. */
  place: () => ReturnType<typeof placeOfEvent>
}

type State =
  /** The missed items are sent (`sent` has their ids), or a gate is checked. New frames wait. */
  | { name: 'catchingUp'; waiting: Frame[]; bytes: number; sent: Set<number> }
  /** New frames are sent, except for items that were sent as missed: the log may show these again. */
  | { name: 'draining'; sent: Set<number> }
  /** New frames are sent. */
  | { name: 'live' }

const live: State = { name: 'live' }

export interface Stream {
  readonly response: ServerResponse
  /** Returns true when its token is no longer valid, at a time in epoch milliseconds. */
  readonly isOver: (now: number) => boolean
  /** Returns true for what its scopes allow; left out when it may have all events of its wallet. */
  readonly sees?: ((place: EventPlace) => boolean) | undefined
  state: State
  /** Until this is 0 again, new frames wait. */
  holds: number
  /** Counts sweeps since something was written. */
  quiet: number
}

/** At most this many bytes may wait for a client. A slower one is cut off, and resumes. */
const maxWaiting = 1024 * 1024
/** After this many sweeps without an event a sign of life is sent. */
const quietSweeps = 20
/** A client must have caught up within this many sweeps. */
const openingSweeps = 100
/** The client reconnects after this many milliseconds. */
const retry = 1000

export const createStream = (
  response: ServerResponse,
  { isOver, sees }: Pick<Stream, 'isOver' | 'sees'>,
): Stream => ({
  response,
  isOver,
  sees,
  state: { name: 'catchingUp', waiting: [], bytes: 0, sent: new Set() },
  holds: 1,
  quiet: 0,
})

// A cache or proxy must neither store nor buffer nor compress it. The connection is not used again after it.
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
}

/**
 * Makes a frame of an event. Its `id:` is the position to resume from and, for an item of the log, the item's own id, by which a
 * client recognises it when it comes again.
 */
export function toFrame(json: string, position?: number, id?: number, chat?: string): Frame {
  const field = position === undefined ? '' : `id: ${position}${id === undefined ? '' : `.${id}`}\n`
  const bytes = Buffer.from(`${field}data: ${json}\n\n`)
  let place: { found: ReturnType<Frame['place']> } | undefined
  return {
    id,
    bytes,
    ...(chat !== undefined && { chat }),
    place: () => (place ??= { found: placeOfEvent(eventIn(bytes, field.length)) }).found,
  }
}

const eventIn = (bytes: Buffer, start: number): ServiceEvent =>
  JSON.parse(bytes.toString('utf8', start + 'data: '.length))

/** Returns the position to resume from in a client's `Last-Event-ID`; NaN when it is none. */
export function parsePosition(lastEventId: string): number {
  const position = Number(/^(\d{1,16})(\.\d{1,16})?$/.exec(lastEventId)?.[1] ?? Number.NaN)
  return Number.isSafeInteger(position) ? position : Number.NaN
}

export const resync = (position?: number): Frame => toFrame('{"type":"resync"}', position)

/** Makes a comment, with the position where there is one, so that a client without events resumes from nearby. */
export const signOfLife = (position?: number): Frame => ({
  id: undefined,
  bytes: Buffer.from(position === undefined ? ':\n\n' : `:\nid: ${position}\n\n`),
  place: () => 'everywhere',
})

/** Sends the head of an event stream, with other headers of the response. */
export const sendHead = (response: ServerResponse, headers: object) =>
  response.writeHead(200, { ...headers, ...streamHeaders })

/**
 * Sends the head, and the position from which the client may resume if it receives nothing else.
 */
export function begin({ response }: Stream, headers: object, position: number | undefined): void {
  response.socket?.setNoDelay(true)
  sendHead(response, headers)
  response.write(`retry: ${retry}\n\n`)
  response.write(signOfLife(position).bytes, () => letGo(response))
}

/**
 * Lets go of what only the opening needs, half of what a stream holds: its request, with its token; the head, of which Node reads
 * only whether it was sent; and the parser of requests.
 */
function letGo(response: ServerResponse): void {
  Object.assign(response.req, { headers: {}, rawHeaders: [] })
  Object.assign(response, { _header: 'sent' })
  if (response.socket) freeParser(response.socket)
}

/** Sends a new frame; while the client catches up, the frame waits. */
export function send(stream: Stream, frame: Frame): void {
  const { state } = stream
  if (state.name === 'catchingUp') {
    state.waiting.push(frame)
    state.bytes += frame.bytes.length
    if (state.bytes > maxWaiting) cut(stream, 'slow')
  } else if (state.name === 'live' || frame.id === undefined || !state.sent.has(frame.id))
    write(stream, frame)
}

/** Sends something that the client missed. Settles when there is room for more, or the client has gone. */
export async function sendMissed(stream: Stream, frame: Frame): Promise<void> {
  const { state, response } = stream
  if (state.name === 'catchingUp' && frame.id !== undefined) state.sent.add(frame.id)
  write(stream, frame)
  await drained(response)
}

/** Takes the items of the log out of the new frames that wait, and returns their ids. */
export function takeItems({ state }: Stream): number[] {
  if (state.name !== 'catchingUp') return []
  const items = state.waiting.filter(({ id }) => id !== undefined)
  state.waiting = state.waiting.filter(({ id }) => id === undefined)
  state.bytes = 0
  return items.map(({ id }) => id!)
}

/** Holds new frames until `release`. */
export function hold(stream: Stream): void {
  const { state } = stream
  stream.holds++
  if (state.name === 'catchingUp') return
  const sent = state.name === 'draining' ? state.sent : new Set<number>()
  stream.state = { name: 'catchingUp', waiting: [], bytes: 0, sent }
}

/** Ends a hold: a client that has caught up gets the waiting frames that pass, and from now on each new frame at once. */
export function release(stream: Stream, passes: (frame: Frame) => boolean): void {
  const { state } = stream
  if (--stream.holds > 0 || state.name !== 'catchingUp') return
  stream.state = state.sent.size > 0 ? { name: 'draining', sent: state.sent } : live
  for (const frame of state.waiting) if (passes(frame)) send(stream, frame)
}

/** Checks a stream: its token, signs of life, and whether it has caught up in time. Returns whether it wrote. */
export function sweep(stream: Stream, now: number, sign: Frame, position: number | undefined): boolean {
  const { state } = stream
  if (stream.isOver(now)) {
    end(stream)
    return true
  }
  stream.quiet++
  if (state.name === 'catchingUp') {
    if (stream.quiet > openingSweeps) cut(stream, 'late')
    return false
  }
  // The log shows nothing at or before the position again.
  if (state.name === 'draining' && position !== undefined && position >= Math.max(...state.sent))
    stream.state = live
  if (stream.quiet < quietSweeps) return false
  write(stream, sign)
  return true
}

/** Ends a stream; the client reconnects after `wait` milliseconds. One that no longer reads is cut off. */
export function end({ response }: Stream, wait = retry): void {
  if (response.headersSent && !response.writableEnded) response.end(`retry: ${wait}\n\n`)
  else response.destroy()
}

/** Every event of a stream passes here, so that none is sent which its scopes do not allow. */
function write(stream: Stream, frame: Frame): void {
  const { response, sees } = stream
  if (response.destroyed || response.writableEnded) return
  if (sees) {
    const place = frame.place()
    if (place === undefined || (place !== 'everywhere' && !sees(place))) return
  }
  const { bytes } = frame
  stream.quiet = 0
  response.write(bytes)
  if (response.writableLength > maxWaiting) cut(stream, 'slow')
}

/** Closes the connection: `slow` reads too little, `late` has not caught up in time, `broken` is a fault of the service. */
export function cut({ response }: Stream, reason: 'slow' | 'late' | 'broken'): void {
  streamsCut.inc({ reason })
  response.destroy()
}
