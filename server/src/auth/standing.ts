// Knows who is an operator, and which wallets and chats have a sanction. Every instance holds it in memory and reads what changed
// every 1.5 s, so no request needs a query for it.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { keepUp } from '../instances/polled-memory.ts'
import { alone, type Siblings } from '../instances/siblings.ts'
import { day, hour } from '../lib/times.ts'
import { communityOf } from '../values/chat.ts'
import type { Caller, Wallet } from './tokens.ts'

/** Each kind is for a wallet, but `close`, `takedown` and `announce` are for a chat, and `hold` for either. */
export type SanctionKind = 'mute' | 'ban' | 'shadow_mute' | 'close' | 'takedown' | 'announce' | 'hold'

/** `until` is in epoch milliseconds; Infinity is forever. */
interface Sanction {
  until: number
  /** This is the reason of a takedown. */
  reason: string
}

export interface Standing extends AsyncDisposable {
  isOperator: (address: string) => boolean
  /** Returns the sanction of a wallet or chat that counts now. */
  sanction: (address: string, kind: SanctionKind) => Sanction | undefined
  /** Reads what changed, on this machine now; when that fails, it is read with the next round. */
  refresh: () => Promise<void>
  /** Returns all wallets and chats that have a sanction. */
  subjectsOf: (kind: SanctionKind) => string[]
}

// A row may become visible later than its time, and rounds may fail while the database is away.
const recently = 600_000

interface Row {
  kind: SanctionKind | 'operator'
  address: string
  until_ms: number | null
  reason: string | null
}

const changes = `
  select 'operator' as kind, address, null::bigint as until_ms, null as reason from operators
  union all select kind, subject, until_ms, reason from sanctions where ms > $1`

/** Everything is loaded before this returns, so that no banned wallet gets in. */
export async function openStanding(
  db: Db,
  log: Logger,
  siblings: Siblings = alone,
  refreshEvery?: number,
): Promise<Standing> {
  let operators = new Set<string>()
  const sanctions: Record<SanctionKind, Map<string, Sanction>> = {
    mute: new Map(),
    ban: new Map(),
    shadow_mute: new Map(),
    close: new Map(),
    takedown: new Map(),
    announce: new Map(),
    hold: new Map(),
  }
  const read = async (since: number) => {
    const rows = await db.query<Row>(changes, [since])
    operators = new Set(rows.filter(({ kind }) => kind === 'operator').map(({ address }) => address))
    const now = db.now()
    for (const { kind, address, until_ms, reason } of rows)
      if (kind !== 'operator') {
        const until = until_ms ?? Infinity
        if (until > now) sanctions[kind].set(address, { until, reason: reason ?? '' })
        else sanctions[kind].delete(address)
      }
  }
  await read(0)
  const polling = keepUp('sanctions', log, siblings, () => read(db.now() - recently), refreshEvery)
  return {
    isOperator: (address) => operators.has(address),
    sanction: (address, kind) => {
      const found = sanctions[kind].get(address)
      return found && found.until > db.now() ? found : undefined
    },
    async refresh() {
      await polling.refresh()
      await siblings.ask('changed')
    },
    subjectsOf: (kind) => [...sanctions[kind].keys()],
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  }
}

/** A sign-in allows grave decisions for this many milliseconds. Renewing a token does not count. */
const recent = hour

/**
 * Throws 403 where the endpoint is for operators and the caller is none, or is for recent sign-ins alone and this one is older,
 * or where the caller is banned or muted.
 */
export function requireStanding(standing: Standing, endpoint: Endpoint, caller: Caller | null): void {
  if (caller?.kind !== 'wallet') return
  const { address } = caller
  if (endpoint.access === 'operator' && !standing.isOperator(address))
    throw new ApiError(
      'forbidden',
      'This is for operators of the service. An administrator adds one: npm run parley -- operator add <address>.',
    )
  if (endpoint.recent || (endpoint.grants && !endpoint.renews)) requireRecent(caller)
  if (!endpoint.whenBanned) requireNoBan(standing, address)
  if (endpoint.publishes) requireNoMute(standing, address)
}

/** Throws 403 for a sign-in that is an hour old, and for an API key. */
export function requireRecent({ signedIn }: Pick<Wallet, 'signedIn'>): void {
  if (signedIn < Date.now() - recent)
    throw new ApiError(
      'old_sign_in',
      'This needs a sign-in from the last hour. Sign in again, then repeat the request.',
    )
}

type Sanctions = Pick<Standing, 'sanction'>

export const isBanned = (standing: Sanctions, address: string): boolean =>
  standing.sanction(address, 'ban') !== undefined

/** Returns true when only the wallet itself sees what it publishes. */
export const isShadowMuted = (standing: Sanctions, address: string): boolean =>
  standing.sanction(address, 'shadow_mute') !== undefined

/** Throws 403 for a wallet that is muted. */
export function requireNoMute(standing: Sanctions, address: string): void {
  const mute = standing.sanction(address, 'mute')
  if (mute)
    throw sanctioned('muted', mute, 'You can read, and appeal: POST /v1/reports with the reason appeal.')
}

/** Throws 403 for a wallet that is banned. */
export function requireNoBan(standing: Sanctions, address: string): void {
  const ban = standing.sanction(address, 'ban')
  if (ban)
    throw sanctioned(
      'banned',
      ban,
      'You can still appeal (POST /v1/reports with the reason appeal), export your data and erase your account.',
    )
}

/** Returns the closing of a chat: a closed community closes its rooms too. */
export const closingOf = (standing: Sanctions, chat: string): Sanction | undefined =>
  standing.sanction(chat, 'close') ?? standing.sanction(communityOf(chat), 'close')

/** Throws 403 for a chat that accepts no messages. */
export function requireOpenChat(standing: Standing, chat: string): void {
  if (closingOf(standing, chat))
    throw new ApiError('forbidden', 'An operator of this service has closed this chat: it takes no messages.')
}

/** Returns the takedown of a community, which is that of its rooms too. */
export const takedownOf = (standing: Sanctions, chat: string): Sanction | undefined =>
  standing.sanction(communityOf(chat), 'takedown')

/** Throws 403 for a community that was taken down. */
export function requireNoTakedown(standing: Sanctions, chat: string): void {
  const takedown = takedownOf(standing, chat)
  if (takedown)
    throw new ApiError(
      'forbidden',
      `An operator of this service has taken this community down: nobody can read it or post in it. The reason: ${takedown.reason}`,
    )
}

/** Returns true when an operator has ended the announcements of a chat; those of a community include its rooms. */
export const mayNotAnnounce = (standing: Sanctions, chat: string): boolean =>
  (standing.sanction(chat, 'announce') ?? standing.sanction(communityOf(chat), 'announce')) !== undefined

const sanctioned = (what: string, { until }: Sanction, rest: string) =>
  new ApiError(
    'sanctioned',
    `An operator of this service has ${what} your wallet${until === Infinity ? '' : ` until ${new Date(until).toISOString()}`}. ${rest} GET /v1/notices says why.`,
  )

/** Deletes sanctions that were lifted or ended a day ago: every instance knows. */
export const deleteOldSanctions = (db: Db) =>
  db.query('delete from sanctions where until_ms < $1 and ms < $1', [db.now() - day])
