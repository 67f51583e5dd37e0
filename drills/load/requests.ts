// What the writers send, and how they read what comes back.

import { ApiError, type Client } from '@parley/sdk'
import type { Random } from '../random.ts'
import type { Room } from '../wallets.ts'

/** The key, then a seeded number of characters of which some take more than a byte, then so many more. */
export const textOf = (key: string, own: Random, padding: number) =>
  `${key} ${'gm ☕ '.repeat(own.int(own.int(10) === 0 ? 400 : 20))}${'.'.repeat(padding)}.`

/** Sends a message to a room. */
export async function post(
  client: Client,
  room: Room,
  fromaddr: string,
  message: string,
  idempotencyKey: string,
  call: { signal: AbortSignal },
): Promise<{ id: number; timestamp: string }> {
  const options = { idempotencyKey, ...call }
  const [sent] =
    'pair' in room
      ? await client.sendDirectMessage(
          { body: { fromaddr, toaddr: otherOf(room.pair, fromaddr), message } },
          options,
        )
      : await client.postGroupMessage({ body: { fromaddr, nftaddr: room.nftaddr, message } }, options)
  return sent!
}

const otherOf = ([a, b]: readonly [string, string], one: string) => (one === a ? b : a)

/** A failure in a word: the status, or the code of the system. */
export function nameOf(error: unknown): string {
  if (error instanceof ApiError) return String(error.status)
  const { name, cause } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? name
}

/** What no fault excuses: a 500, or being told that a good request is bad. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.status === 500 || (error.status < 500 && error.status !== 429))
    return `${error.status} ${error.message} (${error.requestId ?? 'no request id'})`
  return undefined
}
