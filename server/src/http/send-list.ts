import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type JsonList, pagesOf } from '../db/pages.ts'
import type { Db } from '../db/pool.ts'
import { drained } from '../lib/drained.ts'
import type { Share } from '../limits/share.ts'

export const isJsonList = (result: unknown): result is JsonList<unknown> =>
  typeof result === 'object' && result !== null && 'pages' in result

/** A whole list as JSON text. */
export const toText = async (db: Db, list: JsonList<unknown>): Promise<string> =>
  `[${(await Array.fromAsync<Buffer>(pagesOf(list, db))).join(',')}]`

/** Milliseconds after which a reader who does not read is disconnected. */
const patience = 10_000

interface Options {
  /** Applied to each page. */
  toWire: (page: Buffer) => Buffer
  share: Share
}

/**
 * Sends a list in one piece when all of it is at hand or it is one page, else as a stream at the
 * reader's pace: the next page is read when the reader has the one before.
 */
export async function sendList(
  reply: FastifyReply,
  list: JsonList<unknown>,
  { toWire, share }: Options,
): Promise<FastifyReply> {
  const pages = pagesOf(list, share.long)
  if (Array.isArray(pages)) return sendAtOnce(reply, joined('[', pages.map(toWire), ']'), share)
  const rest = pages[Symbol.asyncIterator]()
  // The first pages are read before the status is sent, so that a failure still gets a status of its
  // own.
  const first = await rest.next()
  if (first.done) return reply.send('[]')
  const firstPage = toWire(first.value)
  const second: IteratorResult<Buffer> = await rest.next()
  if (second.done) return sendAtOnce(reply, joined('[', [firstPage], ']'), share)

  async function* stream() {
    let release = share.hold(firstPage.length)
    try {
      yield joined('[', [firstPage])
      for (let page = second; !page.done; page = await rest.next()) {
        await untilRead(reply.raw)
        release()
        if (reply.raw.destroyed) return
        await share.room()
        release = share.hold(page.value.length)
        yield joined(',', [toWire(page.value)])
      }
      await untilRead(reply.raw)
      yield ']'
    } finally {
      release()
      // The reader may leave in the middle.
      await rest.return?.()
    }
  }
  return reply.send(Readable.from(stream(), { objectMode: false, highWaterMark: 1 }))
}

function sendAtOnce(reply: FastifyReply, answer: string | Buffer, share: Share): FastifyReply {
  if (answer.length >= longText) {
    reply.raw.once('close', share.hold(answer.length))
    // Begins again with whatever the reader takes; the end of the answer sets it back.
    if (reply.raw.socket instanceof Socket) reply.raw.socket.setTimeout(patience)
  }
  return reply.send(answer)
}

/**
 * Waits until the reader has everything so far; disconnects one who takes nothing. An injected
 * request has no real connection.
 */
async function untilRead(response: ServerResponse): Promise<void> {
  const { socket } = response
  if (!(socket instanceof Socket) || !response.writableNeedDrain) return
  const before = socket.timeout ?? 0
  socket.setTimeout(patience)
  await drained(response)
  socket.setTimeout(before)
}

/**
 * Pages with commas between, as what is sent next: text while it is short, which takes one write to
 * the socket with its headers. The memory of the pages is given back at once, not by the garbage
 * collector: without that a service that answers inboxes of 2,000 rows holds 310 MB instead of 230.
 * The pages cannot be read afterwards.
 */
function joined(before: string, pages: Buffer[], after = ''): string | Buffer {
  const parts = pages.flatMap((page) => [comma, page]).slice(1)
  const bytes = Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)])
  for (const { buffer, byteLength } of pages)
    if (buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
  return bytes.length < longText ? bytes.toString() : bytes
}

const comma = Buffer.from(',')
const longText = 16_384
