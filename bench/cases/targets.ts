import { createClient } from '@parley/sdk'
import { deepPair, otherPair, type Pair } from '../data/layout.ts'
import type { Access } from '../service/access.ts'

/** Returns the conversations that have a hundred messages and more. */
export const deepPairs = ({ layout }: Access): Pair[] =>
  Array.from({ length: layout.deep }, (_, n) => deepPair(n))

/** Returns at most 2,000 of the other conversations, spread over all of them. */
export function somePairs({ layout: { people, others } }: Access): Pair[] {
  const count = Math.min(2000, others)
  return Array.from({ length: count }, (_, i) => otherPair(people, Math.floor((i * others) / count)))
}

export interface Since {
  one: string
  other: string
  /** The time in epoch milliseconds. */
  time: number
}

/** Returns the deep conversations with the time of their newest message, or of one that many before it. */
export const since =
  (back: number) =>
  async (access: Access): Promise<Since[]> =>
    Promise.all(
      deepPairs(access).map(async ([one, other]) => {
        const client = createClient({ baseUrl: access.publicUrl, token: await access.token(one) })
        const page = { limit: back + 1, before: Number.MAX_SAFE_INTEGER }
        const [message] = await client.listConversation({ fromaddr: one, toaddr: other, query: page })
        return { one, other, time: Date.parse(message!.timestamp) }
      }),
    )
