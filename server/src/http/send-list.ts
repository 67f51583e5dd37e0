import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { JsonList } from '../db/pages.ts'

export const isJsonList = (result: unknown): result is JsonList<unknown> =>
  typeof result === 'object' && result !== null && 'pages' in result

/** A whole list as JSON text. */
export const toText = async ({ pages }: JsonList<unknown>): Promise<string> =>
  `[${(await Array.fromAsync<Buffer>(pages)).join(',')}]`

/**
 * Sends a list in one piece when all of it is at hand or it is one page, else as a stream at the
 * reader's pace. `toWire` is applied to each page.
 */
export async function sendList(
  reply: FastifyReply,
  { pages }: JsonList<unknown>,
  toWire: (page: Buffer) => Buffer,
): Promise<FastifyReply> {
  if (Array.isArray(pages)) return reply.send(joined('[', pages.map(toWire), ']'))
  const rest = pages[Symbol.asyncIterator]()
  // The first page is read before the status is sent, so that a failure still gets a status of its
  // own.
  const first = await rest.next()
  const second: IteratorResult<Buffer> = first.done ? first : await rest.next()
  if (second.done) return reply.send(joined('[', first.done ? [] : [toWire(first.value)], ']'))

  async function* stream() {
    try {
      yield joined('[', [toWire(first.value)])
      for (let page = second; !page.done; page = await rest.next()) yield joined(',', [toWire(page.value)])
      yield ']'
    } finally {
      // The reader may leave in the middle.
      await rest.return?.()
    }
  }
  return reply.send(Readable.from(stream(), { objectMode: false, highWaterMark: 1 }))
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
