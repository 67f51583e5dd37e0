// The writers send these requests, and classify the responses.

import { ApiError, type Client } from '@parley/sdk'
import type { Random } from '../random.ts'
import type { Room } from '../wallets.ts'

/** Returns a message's text: its key, a random number of characters of which some take several bytes, and the padding. */
export const textOf = (key: string, own: Random, padding: number) =>
  `${key} ${'gm ☕ '.repeat(own.int(own.int(10) === 0 ? 400 : 20))}${'.'.repeat(padding)}.`

/** Sends a message to a room; it may reply to another one, and have files. */
export async function post(
  client: Client,
  room: Room,
  fromaddr: string,
  { message, replyTo, files }: { message: string; replyTo?: number | undefined; files?: string[] },
  idempotencyKey: string,
  call: { signal: AbortSignal },
): Promise<{ id: number; timestamp: string }> {
  const options = { idempotencyKey, ...call }
  const content = {
    fromaddr,
    message,
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(files && { files }),
  }
  const [sent] =
    'pair' in room
      ? await client.sendDirectMessage(
          { body: { ...content, toaddr: otherOf(room.pair, fromaddr) } },
          options,
        )
      : await client.postGroupMessage({ body: { ...content, nftaddr: room.nftaddr } }, options)
  return sent!
}

export const otherOf = ([a, b]: readonly [string, string], one: string) => (one === a ? b : a)

/** Returns a short name of a failure: the HTTP status, or the system's error code. */
export function nameOf(error: unknown): string {
  if (error instanceof ApiError) return String(error.status)
  const { name, cause } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? name
}

/** Returns a response that no fault excuses: a 500, or a 4xx to a valid request. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.status === 500 || (error.status < 500 && error.status !== 429))
    return `${error.status} ${error.message} (${error.requestId ?? 'no request id'})`
  return undefined
}
