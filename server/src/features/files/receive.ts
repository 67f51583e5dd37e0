import { ApiError } from '@parley/sdk/contract/errors.ts'
import { filePartBytes, leastPartBytes } from '@parley/sdk/contract/files.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { countUsed } from '../../files/garbage.ts'
import { badRequest } from '../../http/validation.ts'

/** Returns how many bytes a part has that begins at an offset, by the length that its request says; throws where they are too few. */
export function lengthOfPart({ headers }: FastifyRequest, size: number, offset: number): number {
  const most = Math.min(filePartBytes, size - offset)
  const least = Math.min(leastPartBytes(size), most)
  const said = Number(headers['content-length'] ?? most)
  if (said >= least) return Math.min(said, most)
  throw badRequest([
    { pointer: '/body', detail: `must have at least ${least} bytes in this part: it has ${said}` },
  ])
}

/**
 * Yields the bytes of a body, which must be this many: it throws before it reads anything of one that says another length, and as
 * soon as there are more. A body that breaks off is refused.
 */
export async function* receive(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  length: number,
): AsyncGenerator<Buffer, void, undefined> {
  const said = request.headers['content-length']
  const refuse = (count: number | string, isMore: boolean) => {
    // The rest of the body is not read.
    if (isMore) reply.header('connection', 'close')
    return isMore
      ? new ApiError('payload_too_large', `This part may have ${length} bytes at most: it has more.`)
      : badRequest([{ pointer: '/body', detail: `must have ${length} bytes in this part: it has ${count}` }])
  }
  if (said !== undefined && Number(said) !== length) throw refuse(said, Number(said) > length)
  let count = 0
  try {
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      count += chunk.length
      if (count > length) throw refuse(count, true)
      yield chunk
      countUsed(chunk)
    }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError('bad_request', 'The body broke off. Nothing of this part was stored.', { cause })
  }
  if (count < length) throw refuse(count, false)
}
