import { isAddress } from '../values/formats.ts'

/** Someone is typing: to a wallet, or in a chat. */
export interface Typing {
  fromaddr: string
  toaddr?: string
  nftaddr?: string
}

/** PostgreSQL takes less than 8000 bytes in a NOTIFY. */
const maxPayload = 7500
/** How many are remembered, each for a second. */
const maxRemembered = 10_000

/**
 * Decides whether to pass one on: the same not more than once a second, and all of them within
 * bounds.
 */
export function createTypingLimit() {
  const last = new Map<string, number>()
  return {
    allows(typing: Typing): boolean {
      const key = JSON.stringify(typing)
      const now = Date.now()
      if ((last.get(key) ?? 0) > now - 1000 || last.size >= maxRemembered) return false
      last.set(key, now)
      return true
    },
    /** Forgets those whose second is over. */
    tidy(): void {
      const now = Date.now()
      for (const [key, time] of last) if (time <= now - 1000) last.delete(key)
    },
  }
}

/**
 * Removes as many from the front as fit into one payload, and answers them as JSON; empty text for
 * none.
 */
export function nextPayload(typings: Typing[]): string {
  const fitting: string[] = []
  for (let size = 2; typings.length > 0;) {
    const json = JSON.stringify(typings[0])
    size += Buffer.byteLength(json) + 1
    if (size > maxPayload) break
    fitting.push(json)
    typings.shift()
  }
  return fitting.length > 0 ? `[${fitting.join(',')}]` : ''
}

/** What another instance sent. It may be anything: every user of the database may notify. */
export function parseTypings(payload: string): Typing[] {
  try {
    const values: unknown = payload === '' ? [] : JSON.parse(payload)
    return Array.isArray(values) ? values.filter(isTyping) : []
  } catch {
    return []
  }
}

function isTyping(value: unknown): value is Typing {
  if (typeof value !== 'object' || value === null) return false
  const { fromaddr, toaddr, nftaddr, ...rest } = value as Record<string, unknown>
  const isOne = (address: unknown) => typeof address === 'string' && isAddress(address)
  return (
    isOne(fromaddr) &&
    (toaddr === undefined ? isOne(nftaddr) : isOne(toaddr) && nftaddr === undefined) &&
    Object.keys(rest).length === 0
  )
}
