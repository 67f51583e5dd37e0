// With these errors a sender sees why a message is refused: because of its recipient's choice for all wallets, or because the
// sender has blocked the recipient. A sender never learns that the recipient has blocked or ignored the sender.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Hex } from 'viem'
import type { ContractOnChain } from '../chains/contract-view.ts'
import type { Db } from '../db/pool.ts'
import { tooMany } from '../limits/too-many.ts'
import type { Gate } from './gate.ts'

export type Refused = 'blocked' | 'not-accepting' | 'holders' | 'pending'

/** Returns the contract whose holders a policy names, and its chain. */
function tokenOf(policy: string): ContractOnChain {
  const [, chain, contract] = policy.split(' ')
  return { chain: Number(chain), contract: contract as Hex }
}

/**
 * Finds out whether a sender holds a token of the contract that a policy names, on its chain. The result is unknown while the
 * chain does not respond.
 */
export async function isHolder(
  gate: Gate,
  policy: string,
  wallet: string,
): Promise<'holder' | 'unknown' | 'no'> {
  const holds = await gate.holds(tokenOf(policy), wallet)
  if (holds === undefined) return 'unknown'
  return holds ? 'holder' : 'no'
}

const noFilesYet = (toaddr: string) =>
  new ApiError(
    'request_pending',
    `${toaddr} has not accepted your messages yet: until then you can send texts, and no files.`,
  )

/** It is the same for a file of another wallet or place, and for none. */
const noFile = (place: 'conversation' | 'chat') =>
  new ApiError(
    'not_found',
    `There is no such file for this ${place}: files are the ids of those that you have uploaded whole for this ${place}, and that no message has.`,
  )

interface RefusedMessage {
  message: object
  place: 'conversation' | 'chat'
  files: unknown
  policy: string | null
}

/** Makes the error for a message that was not stored, by the word of the function of the database. */
export function refusalToStore(refused: string, { message, place, files, policy }: RefusedMessage): ApiError {
  if (refused === 'mismatch') return keyMismatch()
  if (refused === 'no-quoted') return noQuoted(place)
  if (refused === 'no-file') return noFile(place)
  // A post has none, and is refused for none of the other reasons.
  const { toaddr } = message as { toaddr: string }
  if (refused === 'pending' && files) return noFilesYet(toaddr)
  return refusalOf(refused as Refused, toaddr, policy)
}

export function refusalOf(refused: Refused, toaddr: string, policy: string | null): ApiError {
  if (refused === 'blocked')
    return new ApiError(
      'conflict',
      `You have blocked ${toaddr}. Unblock it to write to it: PUT /v1/contacts/${toaddr} with {"blocked":false}.`,
    )
  if (refused === 'pending')
    return new ApiError(
      'request_pending',
      `${toaddr} has not answered yet: five messages of 16 KiB together are the most until then.`,
    )
  const whose =
    refused === 'holders'
      ? `wallets that hold a token of ${tokenOf(policy!).contract} on chain ${tokenOf(policy!).chain}`
      : 'its contacts'
  return new ApiError(
    'not_accepting',
    `${toaddr} takes messages of ${whose} only. It can accept you: then you may write.`,
  )
}

/** It is the same for a message of another place, a deleted one and none. */
const noQuoted = (place: 'conversation' | 'chat') =>
  new ApiError(
    'not_found',
    `There is no such message in this ${place}: reply_to is the id of one that you see there.`,
  )

/** Times increase by at least a millisecond, and would run ahead of the clock. */
export const tooFast = (place: 'conversation' | 'chat') =>
  tooMany('message-rate', `This ${place} takes about 1,000 messages a second. Try again in a second.`, 1)

/** From `next` on the wallet may post again. */
export const tooSoon = (db: Db, next: number) =>
  tooMany(
    'slow-mode',
    `This chat is in slow mode: you can post again at ${new Date(next).toISOString()}.`,
    Math.max(1, Math.ceil((next - db.now()) / 1000)),
  )

export const keyMismatch = () =>
  new ApiError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
  )
