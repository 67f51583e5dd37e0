// These clients send messages with files as clients should: a part is sent until it is acknowledged, an upload continues where the
// service is, and its message has one Idempotency-Key until it has a response. The bytes of a file follow from the seed. Some
// uploads are given up in the middle, and some files are deleted before they are sent.

import { createCipheriv, createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client, type FileState, type NewFile } from '@parley/sdk'
import type { SentFile } from '../check/ledger.ts'
import { digestOf, type Random } from '../random.ts'
import type { Room } from '../wallets.ts'
import { type ClientsOptions, openAttempts } from './attempts.ts'
import { otherOf, post, textOf } from './requests.ts'

interface UploadersOptions extends ClientsOptions {
  seed: number
  uploaders: number
}

/** What the service has acknowledged of an upload that no message has. */
interface Upload {
  id: string
  from: string
  have: number
}

export type Uploaders = ReturnType<typeof startUploaders>

const mebibyte = 2 ** 20
/** Files are small when this many bytes were uploaded, so that all of them fit on a small disk. */
const mostBytes = 250 * mebibyte

/** Starts uploaders, which run until they are stopped. */
export function startUploaders(options: UploadersOptions) {
  const { wallets, ledger, random, report, ended, prefix, uploaders } = options
  const attempts = openAttempts(options)
  const stop = new AbortController()
  const uploads = openUploads(options, attempts)

  async function sendOne(own: Random, key: string): Promise<void> {
    const room = own.pick(wallets.rooms)
    const from = own.pick('pair' in room ? room.pair : wallets.addresses)
    const files: SentFile[] = []
    for (let count = own.int(4) === 0 ? 3 : 1; count > 0; count--) {
      const file = await uploads.upload(own, `${key}-${count}`, room, from)
      if (file) files.push(file)
    }
    if (files.length === 0) return
    const ids = files.map(({ id }) => id)
    ledger.write({ do: 'send', key, room: room.name, from, at: Date.now(), files })
    const content = { message: textOf(key, own, 0), files: ids }
    // From here on a message may have them.
    for (const one of uploads.unsent) if (ids.includes(one.id)) uploads.unsent.delete(one)
    // A client sends it twice that has not received the response.
    for (let again = own.int(5) === 0 ? 1 : 0; again >= 0; again--) {
      const sent = await attempts.persist(own, from, (client, call) =>
        post(client, room, from, content, key, call),
      )
      if (!sent) return
      const known = ledger.history.get(key)!.acknowledged
      if (!known) ledger.write({ do: 'sent', key, id: sent.id, timestamp: sent.timestamp, at: Date.now() })
      else if (known.id !== sent.id)
        report({ kind: 'duplicated', detail: `${key} was answered as ${known.id}, then as ${sent.id}` })
    }
  }

  const running = Promise.all(
    Array.from({ length: uploaders }, async (_, number) => {
      const own = random.fork(`uploader ${number}`)
      for (let n = 0; !stop.signal.aborted && !ended.aborted; n++) {
        await sendOne(own, `${prefix}-file-${number}-${n}`)
        await sleep(own.between(0, 600))
      }
    }),
  )
  running.catch(() => {})
  return {
    ...attempts,
    ...uploads,
    /** Finishes what has begun; gives up what is not acknowledged within half a minute. */
    async stop() {
      stop.abort()
      attempts.giveUpAfter(30_000)
      await running
    },
  }
}

function openUploads(
  { seed, report }: Pick<UploadersOptions, 'seed' | 'report'>,
  attempts: ReturnType<typeof openAttempts>,
) {
  const unsent = new Set<Upload>()
  let bytes = 0
  let parts = 0
  return {
    /** What was acknowledged of files that no message has. */
    unsent,
    /** The parts and bytes that were acknowledged. */
    figures: () => ({ parts, bytes }),

    /** Uploads a file for a room; undefined when it was given up or deleted. */
    async upload(own: Random, name: string, room: Room, from: string): Promise<SentFile | undefined> {
      const content = contentOf(seed, name, sizeOf(own, bytes < mostBytes))
      const sha256 = createHash('sha256').update(content).digest('hex')
      const about: NewFile = {
        ...('pair' in room ? { toaddr: otherOf(room.pair, from) } : { nftaddr: room.nftaddr }),
        ...(own.int(2) === 0 && { sealed: true }),
        size: content.length,
        sha256,
      }
      const begun = await attempts.persist(own, from, async (client, call) => {
        const [file] = await client.createFile({ body: about }, call)
        return file
      })
      if (!begun) return undefined
      const { id, part } = begun
      const file = { id, from, have: 0 }
      unsent.add(file)
      while (file.have < content.length) {
        if (own.int(20) === 0) return undefined
        const { have } = file
        const state = await attempts.persist(own, from, (client, call) =>
          putPart(client, id, content.subarray(have, have + part), have, call),
        )
        if (!state) return undefined
        if (state.offset < have || state.offset > content.length)
          report({ kind: 'lost', detail: `${have} bytes of ${id} were acknowledged, it has ${state.offset}` })
        bytes += state.offset - have
        parts++
        file.have = state.offset
      }
      if (own.int(15) > 0) return { id, size: content.length, sha256 }
      unsent.delete(file)
      await attempts.persist(own, from, (client, call) => deleteFile(client, id, call))
      return undefined
    },
  }
}

/** Most files are small. Some have up to three parts. */
function sizeOf(own: Random, isAnySize: boolean): number {
  if (!isAnySize) return 1 + own.int(2000)
  return 1 + own.int(own.int(8) === 0 ? 9 * mebibyte : 300_000)
}

/** Returns bytes that follow from the seed and a name, and of which no two pieces are equal. */
const contentOf = (seed: number, name: string, size: number) =>
  createCipheriv('aes-256-ctr', Buffer.from(digestOf(seed, name), 'hex'), Buffer.alloc(16)).update(
    Buffer.alloc(size),
  )

/** Sends a part. Where another one came first, which may be the same, it returns how much there is. */
async function putPart(
  client: Client,
  file: string,
  body: Uint8Array<ArrayBuffer>,
  offset: number,
  call: { signal: AbortSignal },
): Promise<{ offset: number }> {
  try {
    const [state] = await client.putFilePart({ file, query: { offset }, body }, call)
    return state!
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict') return error.current as FileState
    throw error
  }
}

async function deleteFile(client: Client, file: string, call: { signal: AbortSignal }): Promise<true> {
  try {
    await client.deleteFile({ file }, call)
  } catch (error) {
    // It may be gone by an attempt without a response.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
  }
  return true
}
