import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Db } from '../db/pool.ts'

/** Milliseconds for which a conversation counts as crowded after the database had no room for a message. */
const crowdedFor = 1000
/** How many messages may be stored at once in one that is crowded, after as many milliseconds without any. */
const burst = 10

/**
 * Makes a function that stores a message of a conversation, or of a chat, refuse with 429 what the database has no room for:
 * times increase by a millisecond at least, and would run ahead of the clock. For a second after that it asks the database
 * for one message a millisecond (a token bucket), which is what there is room for, and refuses the others at once: so a
 * crowd at one door holds up no other.
 */
export function refusingCrowds<Message, Stored>(
  store: (db: Db, message: Message) => Promise<Stored | undefined>,
  where: string,
  keyOf: (message: Message) => string,
): (db: Db, message: Message) => Promise<Stored> {
  /** When there is room for the next message, for each that is crowded. */
  const crowded = new Map<string, number>()
  const refusal = new ApiError(
    'rate_limited',
    `This ${where} takes about 1,000 messages a second. Send again in a second.`,
    { retryAfter: 1 },
  )

  return async (db, message) => {
    const key = keyOf(message)
    const room = crowded.get(key)
    if (room !== undefined) {
      const now = performance.now()
      if (room > now) throw refusal
      crowded.set(key, Math.max(room, now - burst) + 1)
    }
    const stored = await store(db, message)
    if (stored) return stored
    if (!crowded.has(key)) {
      crowded.set(key, performance.now())
      setTimeout(() => crowded.delete(key), crowdedFor).unref()
    }
    throw refusal
  }
}
