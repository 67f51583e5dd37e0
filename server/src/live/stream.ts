// One client's event stream: Server-Sent Events (WHATWG HTML, section 9.2) over one response.
//
// It begins by keeping what it is told, while what the client missed is sent to it. Then the kept events follow, without
// those that were among the missed ones, and from then on each event at once.

import type { ServerResponse } from 'node:http'

/** An event as bytes, made once for all who are told. Without an id it is no item of the log. */
export interface Frame {
  id: number | undefined
  bytes: Buffer
}

export interface Stream {
  readonly response: ServerResponse
  /** Whether its token is good no more, at a time in epoch milliseconds. */
  readonly isOver: (now: number) => boolean
  /** What it was told before it was opened. */
  kept: Frame[] | undefined
  keptBytes: number
  /** Ids that were sent as missed. */
  sent: Set<number> | undefined
  /** Ticks since something was written. */
  quiet: number
}

/** Bytes a client may leave waiting. One that is slower is cut off, and resumes. */
const maxWaiting = 1024 * 1024
/** Ticks without an event after which a sign of life is sent. */
const quietTicks = 20
/** Ticks in which a stream must have been opened. */
const openingTicks = 100
/** When to come back after the connection broke, in milliseconds. */
const retry = 1000

export const createStream = (response: ServerResponse, isOver: Stream['isOver']): Stream => ({
  response,
  isOver,
  kept: [],
  keptBytes: 0,
  sent: undefined,
  quiet: 0,
})

// A cache or proxy must neither keep nor gather nor compress it. The connection is not used again after it.
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
}

/**
 * An event. Its `id:` is the position to resume from and, for one of the log, its own id, by which a client knows it when
 * it comes again.
 */
export function toFrame(json: string, position?: number, id?: number): Frame {
  const field = position === undefined ? '' : `id: ${position}${id === undefined ? '' : `.${id}`}\n`
  return { id, bytes: Buffer.from(`${field}data: ${json}\n\n`) }
}

/** The position to resume from in what a client sends as `Last-Event-ID`; NaN when it is none. */
export const parsePosition = (lastEventId: string): number =>
  Number(/^(\d{1,15})(\.\d{1,15})?$/.exec(lastEventId)?.[1] ?? Number.NaN)

export const resync = (position?: number): Frame => toFrame('{"type":"resync"}', position)

/** A comment, with the position where there is one, so that a client that is told nothing resumes from nearby. */
export const signOfLife = (position?: number): Frame => ({
  id: undefined,
  bytes: Buffer.from(position === undefined ? ':\n\n' : `:\nid: ${position}\n\n`),
})

/** Sends the head of an event stream, with other headers of the answer. */
export const sendHead = (response: ServerResponse, headers: object) =>
  response.writeHead(200, { ...headers, ...streamHeaders })

/** Sends the head, and the position from which the client may resume if it sees nothing else. */
export function begin({ response }: Stream, headers: object, position: number | undefined): void {
  response.socket?.setNoDelay(true)
  sendHead(response, headers)
  response.write(`retry: ${retry}\n\n`)
  response.write(signOfLife(position).bytes)
}

/** Tells a stream of something. */
export function tell(stream: Stream, frame: Frame): void {
  if (stream.kept) {
    stream.kept.push(frame)
    stream.keptBytes += frame.bytes.length
    if (stream.keptBytes > maxWaiting) stream.response.destroy()
  } else if (frame.id === undefined || !stream.sent?.has(frame.id)) write(stream, frame)
}

/** Sends something the client missed; settles when there is room for more, or nobody to take it. */
export async function tellMissed(stream: Stream, frame: Frame): Promise<void> {
  if (frame.id !== undefined) (stream.sent ??= new Set()).add(frame.id)
  const { response } = stream
  write(stream, frame)
  if (!response.writableNeedDrain || response.destroyed) return
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** Sends what was kept; from now on events are sent at once. */
export function goLive(stream: Stream): void {
  const kept = stream.kept ?? []
  stream.kept = undefined
  for (const frame of kept) tell(stream, frame)
}

/** Looks after a stream, once a tick: its token, signs of life, and clients that take nothing in. Tells whether it wrote. */
export function tick(stream: Stream, now: number, sign: Frame, position: number | undefined): boolean {
  if (stream.isOver(now)) {
    end(stream)
    return true
  }
  stream.quiet++
  if (stream.kept) {
    if (stream.quiet > openingTicks) stream.response.destroy()
    return false
  }
  if (stream.sent && position !== undefined && position >= Math.max(...stream.sent)) stream.sent = undefined
  if (stream.quiet < quietTicks) return false
  write(stream, sign)
  return true
}

/** Ends a stream; the client comes back after `wait` milliseconds. One that takes nothing in any more is cut off. */
export function end({ response }: Stream, wait = retry): void {
  if (response.headersSent && !response.writableEnded) response.end(`retry: ${wait}\n\n`)
  else response.destroy()
}

function write(stream: Stream, { bytes }: Frame): void {
  const { response } = stream
  if (response.destroyed || response.writableEnded) return
  stream.quiet = 0
  response.write(bytes)
  if (response.writableLength > maxWaiting) response.destroy()
}
