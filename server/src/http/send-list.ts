import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { JsonList } from '../db/pages.ts'
import { taken } from '../db/taken.ts'

type Page = string | Buffer

export const isJsonList = (result: unknown): result is JsonList<unknown> =>
  typeof result === 'object' && result !== null && 'pages' in result

/** A whole list as JSON text. */
export const toText = async ({ pages }: JsonList<unknown>): Promise<string> =>
  `[${(await Array.fromAsync<Page>(pages)).join(',')}]`

/**
 * Sends a list in one piece when all of it is at hand or it is one page, else as a stream at the reader's pace. `toWire`
 * is applied to each page.
 */
export async function sendList(
  reply: FastifyReply,
  { pages }: JsonList<unknown>,
  toWire: (page: Page) => Page,
): Promise<FastifyReply> {
  if (Array.isArray(pages)) return reply.send(inBrackets(taken(pages).map(toWire)))
  const rest = pages[Symbol.asyncIterator]()
  // The first page is read before the status is sent, so that a failure still gets a status of its own.
  const first = await rest.next()
  const second: IteratorResult<Page> = first.done ? first : await rest.next()
  if (second.done) return reply.send(inBrackets(first.done ? [] : [toWire(first.value)]))

  async function* text() {
    try {
      yield joined(['[', toWire(first.value)])
      for (let page = second; !page.done; page = await rest.next()) yield joined([',', toWire(page.value)])
      yield ']'
    } finally {
      // The reader may leave in the middle.
      await rest.return?.()
    }
  }
  return reply.send(Readable.from(text(), { objectMode: false, highWaterMark: 1 }))
}

const inBrackets = (pages: Page[]) => joined(['[', ...pages.flatMap((page) => [',', page]).slice(1), ']'])

/** Long answers go as bytes: a string would be copied by every garbage collection until it is sent. */
function joined(parts: Page[]): Page {
  if (parts.reduce((sum, part) => sum + part.length, 0) < 16_384) return parts.join('')
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0))
  let end = 0
  for (const part of parts) {
    end += typeof part === 'string' ? bytes.write(part, end) : part.copy(bytes, end)
    if (typeof part !== 'string') release(part)
  }
  return bytes
}

/** Frees the memory of bytes that are no longer needed at once, long before the garbage collector would. */
function release({ buffer, byteLength }: Buffer): void {
  const isAll = buffer.byteLength === byteLength
  if (isAll && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
