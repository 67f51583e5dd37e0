import { isAddress } from '../values/formats.ts'

/** Says that someone is typing: to a wallet, or in a chat. */
export interface Typing {
  fromaddr: string
  toaddr?: string
  nftaddr?: string
}

/** PostgreSQL accepts less than 8000 bytes in a NOTIFY. */
const maxPayload = 7500
/** At most this many wallets are remembered, and targets of each: for a second. */
const maxWallets = 10_000
const maxTargets = 20

/**
 * Decides whether to pass on a typing signal: the same signal at most once a second. Signals that do not fit into memory are
 * forgotten, and so may be passed on again: for a wallet with many targets these are its own, the oldest first.
 */
export function createTypingLimit() {
  const lastOf = new Map<string, Map<string, number>>()
  return {
    allows({ fromaddr, toaddr, nftaddr }: Typing): boolean {
      const target = JSON.stringify([toaddr, nftaddr])
      const now = Date.now()
      const last = lastOf.get(fromaddr) ?? new Map<string, number>()
      if ((last.get(target) ?? 0) > now - 1000) return false
      remember(last, target, now, maxTargets)
      remember(lastOf, fromaddr, last, maxWallets)
      return true
    },
    /** Forgets those whose second is over. */
    tidy(): void {
      const now = Date.now()
      for (const [wallet, last] of lastOf) if (Math.max(...last.values()) <= now - 1000) lastOf.delete(wallet)
    },
  }
}

/** Puts a value at the end, and removes the first one when there are too many. */
function remember<Value>(values: Map<string, Value>, key: string, value: Value, most: number): void {
  values.delete(key)
  values.set(key, value)
  if (values.size > most) values.delete(values.keys().next().value!)
}

/** Removes as many from the front as fit into one payload, and returns them as JSON; it returns empty text for none. */
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

/** Parses what another instance sent. It may be anything: every user of the database may notify. */
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
