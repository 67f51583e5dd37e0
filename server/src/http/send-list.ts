import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { type JsonList, pagesOf } from '../db/pages.ts'
import type { Db } from '../db/pool.ts'
import { drained } from '../lib/wait-for-drain.ts'
import { joined } from '../lib/join-pieces.ts'
import type { Share } from '../limits/long-reads.ts'
import { openPacker, packerMemory } from './compress.ts'

/** Returns the share of a request that has written: its response waits for no turn and is not refused for its length. */
export const afterWriting = ({ hold }: Share, { long }: Db): Share => ({
  long,
  hold: (bytes) => hold(bytes).catch(() => () => {}),
})

/** Makes a whole list into JSON text. */
export const toText = async (db: Db, list: JsonList<unknown>): Promise<string> =>
  `[${(await Array.fromAsync<Buffer>(pagesOf(list, db))).join(',')}]`

/**
 * The timer that disconnects a reader who does not read has this many milliseconds: a reader is disconnected within ten seconds,
 * because Node starts the timer once more when anything was taken since the write.
 */
const patience = 5_000

interface Options {
  /** This is applied to each page. */
  toWire: (page: Buffer) => Buffer
  share: Share
}

/**
 * Sends a list in one piece when all of it is at hand or it is one short page, else as a stream at the
 * reader's pace: the next page is read when the reader has the one before.
 */
export async function sendList(
  reply: FastifyReply,
  list: JsonList<unknown>,
  { toWire, share }: Options,
): Promise<FastifyReply> {
  const pages = pagesOf(list, share.long)
  if (Array.isArray(pages)) {
    await share.hold(pages.reduce((sum, { length }) => sum + length, 0))
    return sendAtOnce(reply, asSent(joined('[', pages.map(toWire), ']')))
  }
  const rest = pages[Symbol.asyncIterator]()
  const next = async () => {
    const page = await rest.next()
    return page.done ? undefined : { bytes: toWire(page.value), release: await share.hold(page.value.length) }
  }
  // The first page is read before the status is sent, so that a failure still gets its own status. After a long page it does not
  // wait for a second one: a slow reader would hold both.
  let first = await next()
  if (!first) return reply.send('[]')
  let second = first.bytes.length < longPage ? await next() : undefined
  if (!second && first.bytes.length < longPage)
    return sendAtOnce(reply, asSent(joined('[', [first.bytes], ']')))

  const packer = openPacker(reply.request, reply)
  if (packer) await share.hold(packerMemory)
  async function* stream() {
    try {
      let before = '['
      for (let page = first; page; before = ',') {
        const { bytes, release } = page
        // The read page is not held beside its copy.
        first = page = undefined
        const part = asSent(joined(before, [bytes]))
        yield packer ? packer.add(part) : part
        await untilRead(reply.raw)
        if (reply.raw.destroyed) return
        page = second ?? (await next())
        second = undefined
        // The place is not released earlier: a response that goes on still needs it.
        release()
      }
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
  // The timer begins again with everything that the reader takes; the end of the response resets it.
  if (answer.length >= longText && reply.raw.socket instanceof Socket) reply.raw.socket.setTimeout(patience)
  return reply.send(answer)
}

/**
 * Waits until the reader has everything so far; disconnects one who takes nothing. An injected
 * request has no real connection.
 */
async function untilRead(response: ServerResponse): Promise<void> {
  // A stream requests more before it hands on what it has.
  await nextTurn()
  const { socket } = response
  if (!(socket instanceof Socket) || !response.writableNeedDrain) return
  const before = socket.timeout ?? 0
  socket.setTimeout(patience)
  await drained(response)
  socket.setTimeout(before)
}

/** Returns what is sent next: text while it is short, which takes one write to the socket with its headers. */
const asSent = (bytes: Buffer) => (bytes.length < longText ? bytes.toString() : bytes)

const longText = 16_384
const longPage = 65_536
