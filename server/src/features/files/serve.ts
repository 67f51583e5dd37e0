// Serves the bytes of a file so that no page and no program takes them for more than that. A browser shows only the types of a short
// list, none of which can have a script; it saves all others. Neither has an origin (`sandbox`).

import { Readable } from 'node:stream'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { openBytes } from '../../files/read.ts'
import type { FileStore } from '../../files/store.ts'
import type { FileRow } from './store.ts'

const shown = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'video/mp4',
  'video/webm',
  'audio/webm',
  'audio/mpeg',
  'audio/ogg',
  'video/ogg',
  'application/ogg',
])

interface Http {
  request: FastifyRequest
  reply: FastifyReply
}

/** Returns the bytes that a request wants, and sets the headers of the response. */
export async function serveFile(
  store: FileStore,
  file: FileRow,
  { request, reply }: Http,
): Promise<Readable> {
  const { id, size, name } = file
  const type = !file.sealed && file.type !== null && shown.has(file.type) ? file.type : undefined
  // The bytes of a file never change.
  const etag = `"${id}"`
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': contentDisposition(name ?? undefined, { type: type ? 'inline' : 'attachment' }),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
  if (request.headers['if-none-match'] === etag) {
    reply.code(304)
    return Readable.from([])
  }
  const range = rangeOf(request, etag, size)
  const [start, end] = range ?? [0, size]
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`)
  reply.header('content-length', end - start)
  if (request.method === 'HEAD') return Readable.from([])
  // The first bytes are read before the status is sent, so that missing ones get their own.
  return Readable.from(await openBytes(store, file, start, end).catch(missing), { objectMode: false })
}

/**
 * Returns the first byte and the one after the last; undefined for the whole file, also for several ranges and for one of another
 * form (RFC 9110, 14.2). The library range-parser refuses a suffix that is longer than the file, of which the RFC means all.
 */
function rangeOf({ headers }: FastifyRequest, etag: string, size: number): [number, number] | undefined {
  const ifRange = headers['if-range']
  if (ifRange !== undefined && ifRange !== etag) return undefined
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (!first && !last) return undefined
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(size, Number(last) + 1) : size
  if (first && last && Number(last) < Number(first)) return undefined
  if (start < end) return [start, end]
  throw new ApiError(
    'range_not_satisfiable',
    `This file has ${size} bytes, and the range has none of them.`,
    {
      headers: { 'content-range': `bytes */${size}` },
    },
  )
}

/** Throws 404 where the store does not have the bytes of a file. */
export function missing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error
  throw new ApiError(
    'not_found',
    'The bytes of this file are missing on this service: a backup was restored without them.',
  )
}
