// The store in a bucket of an S3-compatible service. A part is an object, `files/<id>/<part>`. The bytes of a part are passed on as
// they come, so the signature does not cover them (UNSIGNED-PAYLOAD): the service compares the hash of the whole file instead. What
// can be asked again is asked three times; an upload is repeated by its sender, because its bytes are gone.

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { S3mini, S3ServiceError } from 's3mini'
import type { S3Access } from '../values/s3-access.ts'
import { countUsed } from './garbage.ts'
import { createCall, streamOf, within } from './s3-call.ts'
import type { FileStore } from './store.ts'

const attempts = 3
/** The next bytes of an object must come in this many milliseconds. */
const nextBytes = 30_000
const perPage = 1000
/** The status waits for the store for this many milliseconds. */
const untilKnown = 3_000

export function openS3Store(access: S3Access): FileStore {
  const { endpoint, region, accessKeyId, secretAccessKey } = access
  const s3 = new S3mini({ endpoint, region, accessKeyId, secretAccessKey, fetch: createCall() })
  const root = `${access.prefix}files/`
  const keyOf = (id: string, part: string) => `${root}${id}/${part}`
  const tools = { s3, root }

  return {
    async write(id, part, bytes, length) {
      const key = keyOf(id, part)
      const source = Buffer.isBuffer(bytes) ? undefined : watch(bytes)
      const put = () =>
        s3.putObject(
          key,
          source ? streamOf(source.bytes) : new Uint8Array(bytes as Buffer),
          'application/octet-stream',
          undefined,
          undefined,
          length,
        )
      try {
        await (source ? put() : repeated(put))
      } catch (error) {
        // The store may have it, where only the response was lost. What this does not delete is deleted as a part without a row.
        await s3.deleteObject(key).catch(() => {})
        throw source?.failure ?? away(error)
      }
    },
    read: (id, part, start, end) =>
      Readable.from(bytesOf(s3, keyOf(id, part), start, end), { objectMode: false }),
    async scan(id, part, use) {
      for await (const bytes of bytesOf(s3, keyOf(id, part), 0, undefined)) {
        use(bytes)
        countUsed(bytes)
      }
    },
    sizeOf: (id, part) =>
      repeated(() => s3.getContentLength(keyOf(id, part))).catch((error: Error) => {
        if (isMissing(error)) return undefined
        throw away(error)
      }),
    deletePart: (id, part) => remove(s3, keyOf(id, part)),
    async delete(id) {
      for await (const { Key } of objects(tools, `${id}/`)) await remove(s3, Key)
    },
    async *list(before) {
      for await (const { Key, LastModified } of objects(tools, '')) {
        const [, id, part] = /^([\w-]+)\/([\w-]+)$/.exec(Key.slice(root.length)) ?? []
        if (id && part && LastModified.getTime() < before) yield { id, part }
      }
    },
    hasRoom: async () => true,
    problem: () =>
      within(untilKnown, s3.listObjectsPaged('/', root, 1)).then(
        (found) => (found ? undefined : 'The bucket of S3_URL does not exist.'),
        (error: unknown) =>
          `The bucket of S3_URL cannot be used: ${reasonOf(error)}. Messages without files are not affected.`,
      ),
  }
}

interface Tools {
  s3: S3mini
  /** All keys begin with it. */
  root: string
}

/** Yields the objects whose keys begin so after the root, page by page. */
async function* objects({ s3, root }: Tools, prefix: string) {
  let next: string | undefined
  do {
    const page = await repeated(() => s3.listObjectsPaged('/', root + prefix, perPage, next)).catch(
      (error: unknown) => {
        throw away(error)
      },
    )
    if (!page) throw away(new Error('the bucket does not exist'))
    // Some of a page may be deleted before the next one: the token says after which key that begins.
    yield* page.objects ?? []
    next = page.nextContinuationToken
  } while (next !== undefined)
}

const remove = async (s3: S3mini, key: string): Promise<void> => {
  await repeated(() => s3.deleteObject(key)).catch((error: unknown) => {
    if (!isMissing(error)) throw away(error)
  })
}

/** Yields an object from a byte to another, which is not read; to its end without that. It continues where a response breaks off. */
async function* bytesOf(
  s3: S3mini,
  key: string,
  start: number,
  end: number | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let at = start
  let last = end
  for (let attempt = 1; last === undefined || at < last; attempt++)
    try {
      const response = await s3.getObjectRaw(key, last === undefined && at === 0, at, last)
      const length = Number(response.headers.get('content-length') ?? NaN)
      last ??= at + length
      if (at + length !== last) {
        await response.body?.cancel()
        throw new Unusable('the response has another length than the range')
      }
      for await (const chunk of chunksOf(response)) {
        at += chunk.length
        yield chunk
      }
      if (at !== last) throw new Error('the response broke off')
    } catch (error) {
      if (isMissing(error)) throw Object.assign(new Error('This part is missing.'), { code: 'ENOENT' })
      if (attempt === attempts || !mayPass(error)) throw away(error)
      await sleep(attempt * 200)
    }
}

async function* chunksOf({ body }: Response): AsyncGenerator<Buffer, void, undefined> {
  const reader = body!.getReader()
  try {
    for (;;) {
      const { done, value } = await within(nextBytes, reader.read())
      if (done) return
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Passes bytes on, and remembers the failure of their source: the sender of the bytes gets that one. */
function watch(source: AsyncIterable<Buffer>) {
  const watched = { bytes: pass(), failure: undefined as unknown }
  async function* pass() {
    try {
      yield* source
    } catch (error) {
      watched.failure = error
      throw error
    }
  }
  return watched
}

/** No other attempt makes this one good. */
class Unusable extends Error {}

async function repeated<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await act()
    } catch (error) {
      if (attempt === attempts || !mayPass(error)) throw error
      await sleep(attempt * 200)
    }
}

/** The library wraps the error of a size. */
function refusalOf(error: unknown): S3ServiceError | undefined {
  const cause = error instanceof Error && error.cause instanceof S3ServiceError ? error.cause : error
  return cause instanceof S3ServiceError ? cause : undefined
}

/** A range that begins behind the end is of a part that is shorter than its row says. */
function isMissing(error: unknown): boolean {
  const { status, serviceCode } = refusalOf(error) ?? {}
  return (status === 404 && serviceCode !== 'NoSuchBucket') || status === 416
}

function mayPass(error: unknown): boolean {
  if (error instanceof Unusable) return false
  const { status = 500 } = refusalOf(error) ?? {}
  return status >= 500 || status === 408 || status === 429
}

/** Says what is wrong in a few words, which have no secret. */
function reasonOf(error: unknown): string {
  const refusal = refusalOf(error)
  if (refusal) return `status ${refusal.status}, ${refusal.serviceCode ?? 'without a reason'}`
  let first = error as Error & { code?: string }
  while (first.cause instanceof Error) first = first.cause
  return first.code ?? first.message
}

const away = (error: unknown) =>
  new ApiError(
    'unavailable',
    'The store of files does not answer as it should. Messages without files are sent and read as usual; try this again in a moment.',
    { retryAfter: 5, cause: new Error(`S3: ${reasonOf(error)}`) },
  )
