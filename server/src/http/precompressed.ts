// Sends files compressed: each is compressed once, at its first request, and cached. It is only for files of the service itself,
// which hold no personal data.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compressors = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
}
export type Encoding = keyof typeof compressors

/** Returns the encoding of a response that a client accepts, if any; of several the first. */
export const encodingFor = (
  { headers }: FastifyRequest,
  known = Object.keys(compressors) as Encoding[],
): Encoding | undefined => negotiate<Encoding>(headers['accept-encoding'] ?? '', known) ?? undefined

/** Responds to a request with the file, or with 304 to a client that has it already. */
export type SendFile = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function pack(file: string | Buffer): SendFile {
  const content = Buffer.from(file)
  // The tag is weak: it is the same for all encodings.
  const etag = `W/"${createHash('sha256').update(content).digest('base64url')}"`
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = {}
  return async (request, reply) => {
    vary(reply, 'Accept-Encoding')
    reply.header('etag', etag)
    if (request.headers['if-none-match']?.split(/ *, */).includes(etag)) return reply.code(304).send()
    const encoding = encodingFor(request)
    if (!encoding) return reply.send(content)
    compressed[encoding] ??= compressors[encoding](content)
    return reply.header('content-encoding', encoding).send(await compressed[encoding])
  }
}

/** Adds a header of the request to those that the response depends on. */
export function vary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? name : `${String(before)}, ${name}`)
}
