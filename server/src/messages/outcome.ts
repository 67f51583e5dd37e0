import { ApiError } from '@parley/sdk/contract/errors.ts'

/** Why a message is not stored. A statement that stores messages says it for each of them. */
type Refusal = 'too-fast'

/** What became of a message in a batch: the stored item as JSON, or why it was refused. */
export type Outcome = { stored: string; refused: null } | { stored: null; refused: Refusal }

type Place = 'conversation' | 'chat'

const errors: Record<Refusal, (place: Place) => ApiError> = {
  // Times increase by a millisecond at least, and would run ahead of the clock.
  'too-fast': (place) =>
    new ApiError(
      'rate_limited',
      `This ${place} takes about 1,000 messages a second. Send again in a second.`,
      { retryAfter: 1 },
    ),
}

/** The stored item. Throws the error for the sender when the message was refused. */
export function requireStored({ stored, refused }: Outcome, place: Place): string {
  if (refused !== null) throw errors[refused](place)
  return stored
}
