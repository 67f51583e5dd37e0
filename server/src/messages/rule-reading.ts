// Reads what the rules of gates ask of wallets. A check makes few calls at once and takes a limited time, and a chain that has
// just failed is not called for two seconds: whoever needs it gets that failure.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { type Past, sinceOf } from '../chains/past.ts'
import { type Config, hasChains } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { forEachLimited } from '../lib/for-each-limited.ts'
import { chatBucket } from '../values/bucket.ts'
import { pause, type Spend } from './chain-questions.ts'
import { communityOf } from './chat-key.ts'
import { type Compiled, type Condition, decide, type Known, undecided } from './gate-rules.ts'

/** One check of a wallet makes at most this many calls at once, and takes at most about this many milliseconds. */
const ofOneCheck = 4
const longestCheck = 10_000

interface How {
  /** This wallet pays for the calls: left out, the wallet that is checked. */
  payer?: string
  /** The chains are called also where results are known. */
  isForced?: boolean
}

export interface RuleReading {
  /** Returns whether a wallet meets a condition: by results that count without a new call, or of at most an age in milliseconds. */
  known: (condition: Condition, wallet: string, longestAge?: number) => Known
  /** Returns how much a wallet holds of the token of a condition, in the same way. */
  amount: (condition: Condition, wallet: string, longestAge?: number) => bigint | undefined
  /** Returns since when a wallet must have held the token of a condition, and the least that it held since then. */
  past: (condition: Condition, wallet: string) => { since: number; least: bigint | undefined } | undefined
  /** Returns whether a wallet meets a rule, in the same way. */
  isMet: (rule: Compiled, wallet: string, longestAge?: number) => Known
  /** Calls the chains until a rule is decided. Throws what has kept it from being decided. */
  settle: (rule: Compiled, wallet: string, how?: How) => Promise<void>
}

interface Foundation {
  config: Pick<Config, 'rpcUrls'> & { jwtSecret: string }
  spend: Spend
  /** Returns the time in milliseconds, the same on all instances. */
  now: () => number
}

export async function openRuleReading({ config, spend, now }: Foundation): Promise<RuleReading> {
  const balances = hasChains(config) ? await import('../chains/balances.ts') : undefined
  const away = new Map<string, { until: number; failure: unknown }>()

  const amount: RuleReading['amount'] = ({ token }, wallet, longestAge) =>
    token && balances?.lastBalance(config, token, wallet, longestAge)

  const known: RuleReading['known'] = (condition, wallet, longestAge) => {
    if (condition.wallets) return condition.wallets.has(wallet)
    const held = amount(condition, wallet, longestAge)
    if (held === undefined || held < condition.min || condition.hours === undefined)
      return held === undefined ? undefined : held >= condition.min
    const least = leastOf(condition, wallet, longestAge)
    return least === undefined ? undefined : least >= condition.min
  }

  const pastFor = (hours: number, age = 0): Past => ({ hours, since: sinceOf(hours, now() - age) })

  /** Returns the least that a wallet held in the past of a condition, or in one that was current an age ago. */
  const leastOf = ({ token, hours }: Condition, wallet: string, longestAge?: number): bigint | undefined =>
    token && hours !== undefined
      ? balances?.lastLeast(config, token, wallet, pastFor(hours, longestAge))
      : undefined

  /** Calls a chain, or throws what it has failed with a moment ago. */
  async function call<T>(what: string, question: () => Promise<T>): Promise<T> {
    const failed = away.get(what)
    if (failed && performance.now() < failed.until) throw failed.failure
    try {
      return await question()
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'bad_gateway')
        away.set(what, { until: performance.now() + pause, failure })
      throw failure
    }
  }

  async function read({ token, min, hours }: Condition, wallet: string, { payer = wallet, isForced }: How) {
    const { chain } = token!
    if (!balances) throw notConnected(chain)
    const pay = () => spend(payer)
    const held = await call(`${chain}`, () => balances.readBalance(config, token!, wallet, pay, isForced))
    // A node that has no earlier blocks is not away for others.
    if (hours !== undefined && held >= min)
      await call(`${chain} ${hours}`, () => balances.readLeast(config, token!, wallet, pastFor(hours), pay))
  }

  return {
    known,
    amount,
    past: (condition, wallet) =>
      condition.hours === undefined
        ? undefined
        : { since: pastFor(condition.hours).since, least: leastOf(condition, wallet) },
    isMet: (rule, wallet, longestAge) => decide(rule, (one) => known(one, wallet, longestAge)),
    async settle(rule, wallet, how = {}) {
      const end = performance.now() + longestCheck
      const failures = new Map<Condition, unknown>()
      const done = new Set<Condition>()
      const current = (condition: Condition) =>
        how.isForced && condition.token && !done.has(condition) ? undefined : known(condition, wallet)
      for (let open; (open = undecided(rule, current)).length > 0;) {
        const next = open.filter((one) => !failures.has(one) && !done.has(one)).slice(0, ofOneCheck)
        if (next.length === 0) throw failures.get(open[0]!) ?? tooSlow()
        if (performance.now() > end) throw tooSlow()
        await forEachLimited(next, ofOneCheck, (condition) =>
          read(condition, wallet, how).then(
            () => done.add(condition),
            (failure: unknown) => failures.set(condition, failure),
          ),
        )
      }
    },
  }
}

/** Returns the wallets with a role in a chat, whose rooms have those of their community. */
export async function findRoles(db: Db, chat: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ walletaddr: string }>(
    'select walletaddr from chat_roles where bucket = $1 and chat = $2',
    [chatBucket(chat), communityOf(chat)],
  )
  return new Set(rows.map(({ walletaddr }) => walletaddr))
}

const notConnected = (chain: number) =>
  new ApiError(
    'unavailable',
    `This service is not connected to chain ${chain} any longer, so nobody can show that they hold a token on it. Its operator can set RPC_URLS.`,
    { retryAfter: 3600 },
  )

const tooSlow = () =>
  new ApiError('unavailable', 'The chains have not answered in time; try again in a few seconds.', {
    retryAfter: 2,
  })
