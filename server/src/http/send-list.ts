import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type JsonList, pagesOf } from '../db/pages.ts'
import type { Db } from '../db/pool.ts'
import { drained } from '../lib/drained.ts'
import type { Share } from '../limits/share.ts'
import { openPacker, packerMemory } from './compress.ts'

export const isJsonList = (result: unknown): result is JsonList<unknown> =>
  typeof result === 'object' && result !== null && 'pages' in result

/** A whole list as JSON text. */
export const toText = async (db: Db, list: JsonList<unknown>): Promise<string> =>
  `[${(await Array.fromAsync<Buffer>(pagesOf(list, db))).join(',')}]`

/**
 * Milliseconds of the timer that disconnects a reader who does not read: within ten seconds, because
 * Node starts it once more when anything was taken since the write.
 */
const patience = 5_000

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
  if (Array.isArray(pages)) {
    share.hold(pages.reduce((sum, { length }) => sum + length, 0))
    return sendAtOnce(reply, joined('[', pages.map(toWire), ']'))
  }
  const rest = pages[Symbol.asyncIterator]()
  const next = async () => {
    const page = await rest.next()
    if (page.done) return undefined
    return { bytes: toWire(page.value), release: share.hold(page.value.length) }
  }
  // The first pages are read before the status is sent, so that a failure still gets a status of its
  // own.
  let first = await next()
  if (!first) return reply.send('[]')
  const second = await next()
  if (!second) return sendAtOnce(reply, joined('[', [first.bytes], ']'))

  const packer = openPacker(reply.request, reply)
  if (packer) share.hold(packerMemory)
  async function* stream() {
    try {
      let { release } = first!
      const begin = joined('[', [first!.bytes])
      first = undefined
      yield packer ? packer.add(begin) : begin
      for (let page = second; page; page = await next()) {
        await untilRead(reply.raw)
        release()
        if (reply.raw.destroyed) return
        release = page.release
        const part = joined(',', [page.bytes])
        yield packer ? packer.add(part) : part
      }
      await untilRead(reply.raw)
      yield packer ? packer.end(']') : ']'
    } finally {
      packer?.close()
      // The reader may leave in the middle.
      await rest.return?.()
    }
  }
  return reply.send(Readable.from(stream(), { objectMode: false, highWaterMark: 1 }))
}

function sendAtOnce(reply: FastifyReply, answer: string | Buffer): FastifyReply {
  // Begins again with whatever the reader takes; the end of the answer sets it back.
  if (answer.length >= longText && reply.raw.socket instanceof Socket) reply.raw.socket.setTimeout(patience)
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
