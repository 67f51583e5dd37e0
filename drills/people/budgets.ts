// This measures what a wallet, and a network address with many wallets, reach in some seconds with whatever limits the service
// has. Any refusal counts as one; nothing here knows a limit.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Caller } from '../../testing/cases/callers.ts'

export interface Budget {
  what: string
  /** True when there is no wallet to count for. */
  isOfAddress?: boolean
  /** The value of one success, 1 when left out. */
  worth?: number
  unit?: string
  /** Makes one attempt of a wallet, the n-th in all. */
  attempt: (caller: Caller, n: number) => Promise<Answer>
}

const KiB = 1024
/** This is more than a network address has at once by any limit. */
export const manyWallets = 300

const fresh = (n: number, kind: number) =>
  `0x${kind.toString(16).padStart(8, '0')}${n.toString(16).padStart(32, '0')}`

const send = ({ address, post }: Caller, toaddr: string, message = 'gm', field?: string) =>
  post('/v1/create_chatitem', {
    fromaddr: address,
    toaddr,
    message,
    ...(field && { encrypted_sym_x_key: field, x_access_conditions: field }),
  })

const askForMail = ({ address, post }: Caller, email: string) =>
  post('/v1/update_settings', { walletaddr: address, email })

/** `victim` is a wallet that gets mails about messages; `signIn` signs a new wallet in. */
export const budgets = (
  picture: Buffer,
  victim: string,
  signIn: (caller: Caller, n: number) => Promise<Answer>,
): Budget[] => [
  { what: 'wallets signed in', isOfAddress: true, attempt: signIn },
  { what: 'strangers written to', attempt: (caller, n) => send(caller, fresh(n, 1)) },
  {
    what: 'communities created',
    attempt: ({ post }, n) => post('/v1/create_community', { community: `budget${n}` }),
  },
  { what: 'names looked up', attempt: ({ get }, n) => get(`/v1/name/${fresh(n, 2)}`) },
  {
    what: 'stored as messages',
    worth: (128 * KiB) / 1e6,
    unit: 'MB',
    attempt: (caller) => send(caller, caller.address, 'x'.repeat(64 * KiB), 'x'.repeat(32 * KiB)),
  },
  {
    what: 'stored as pictures',
    worth: picture.length / 1e6,
    unit: 'MB',
    attempt: ({ address, post }) =>
      post('/v1/image', { addr: address, base64data: picture.toString('base64') }),
  },
  {
    what: 'confirmation mails asked for strangers',
    attempt: (caller, n) => askForMail(caller, `stranger${n}@mail.example`),
  },
  { what: 'messages to one who gets mails about them', attempt: (caller) => send(caller, victim) },
]

export interface Reached {
  /** The successes in all, and each second after there had been a refusal; without one each second. */
  all: number
  perSecond: number
  /** The number of attempts with each other status. */
  refused: Map<number, number>
}

/** Makes attempts for some seconds, sixteen at once, wallet by wallet. */
export async function reach(
  callers: readonly Caller[],
  seconds: number,
  attempt: Budget['attempt'],
): Promise<Reached> {
  const began = performance.now()
  const end = began + seconds * 1000
  const refused = new Map<number, number>()
  const successes: number[] = []
  let firstRefusal: number | undefined
  let next = 0
  const work = async () => {
    while (performance.now() < end) {
      const n = next++
      const { status } = await attempt(callers[n % callers.length]!, n)
      if (status >= 200 && status < 300) successes.push(performance.now())
      else {
        firstRefusal ??= performance.now()
        refused.set(status, (refused.get(status) ?? 0) + 1)
        await sleep(20)
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  // Unused allowance is gone a while after the first refusal.
  const from = firstRefusal === undefined ? began : (firstRefusal + end) / 2
  const later = successes.filter((at) => at >= from).length
  return { all: successes.length, perSecond: later / ((performance.now() - from) / 1000), refused }
}

export function inWords({ all, perSecond, refused }: Reached, seconds: number, { worth = 1, unit }: Budget) {
  const number = (value: number) => (value * worth).toLocaleString('en', { maximumFractionDigits: 0 })
  const of = unit ? ` ${unit}` : ''
  const how = [...refused].map(([status, times]) => `${times} × ${status || 'no answer'}`).join(', ')
  return `${number(all)}${of} in ${seconds.toFixed(0)} s, then ${number(perSecond * 3600)}${of}/h (refused: ${how || 'none'})`
}
