// This module stores the contacts of wallets. The row of a conversation says whether one wallet has accepted, ignored or blocked
// the other, and the contacts have the rest; they lie in other buckets, so a list is two statements.

import type { Contact, ContactUpdate } from '@parley/sdk/contract/consent.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { eventJson } from '../../messages/events.ts'
import { setContact } from '../../messages/set-contact.ts'
import { inOrder, pairBucket } from '../../values/bucket.ts'
import { contactOf, type Known, nothing, type Stance, states, untilOf, untilText } from './contact.ts'
import { findWithoutConversation, inOrderOfBytes, stancesTo } from './kept-alone.ts'

const knownOf = (db: Db, wallet: string, peers: string[]) =>
  db.query<Known & { peer: string }>(
    `select peer, alias, muted_until_ms, since_ms from contacts where ${ofWallet} and peer = any($3::text[])`,
    keyOf(wallet, peers),
  )

export async function getContact(db: Db, wallet: string, peer: string): Promise<Contact> {
  const [[stance], [known]] = await Promise.all([
    db.query<Stance>(
      `select case when a = $4 then state_a else state_b end as state, case when a = $4 then blocked_a else blocked_b end as blocked
       from conversations where bucket = $1 and a = $2 and b = $3`,
      [pairBucket(wallet, peer), ...inOrder(wallet, peer), wallet],
    ),
    knownOf(db, wallet, [peer]),
  ])
  return contactOf(peer, stance ?? { state: 0, blocked: false }, known ?? nothing, db.now())
}

/**
 * A condition on the wallet's side of a conversation, as its indexes have it. A row whose conversation has not begun is there
 * because one side has decided something: only that side sees it.
 */
const conditions = {
  all: (side: string) => `(began_ms > 0 or state_${side} <> 0 or blocked_${side})`,
  unknown: (side: string) => `state_${side} = 0 and not blocked_${side} and began_ms > 0`,
  accepted: (side: string) => `state_${side} = 1 and not blocked_${side}`,
  ignored: (side: string) => `state_${side} = 2 and not blocked_${side}`,
  blocked: (side: string) => `blocked_${side}`,
}

const peersOf = (condition: (side: string) => string) => `
  select peer, state, blocked from (
    (select b as peer, state_a as state, blocked_a as blocked from conversations where a = $1 and b > $2 and b <> $1 and ${condition('a')}
     order by a, b limit $3)
    union all
    (select a, state_b, blocked_b from conversations where b = $1 and a > $2 and a <> $1 and ${condition('b')}
     order by b, a limit $3)
  ) c order by peer collate "C" limit $3`

const namedPeers = `
  select peer, alias, muted_until_ms, since_ms from contacts
  where ${ofWallet} and peer > $3 and alias is not null order by peer limit $4`

interface ContactQuery {
  state?: Contact['state']
  named?: boolean
  limit: number
  after?: string
}

/** Returns contacts in the order of addresses. */
export async function findContacts(
  db: Db,
  wallet: string,
  { state, named, limit, after = '' }: ContactQuery,
): Promise<Contact[]> {
  if (named) return findNamed(db, wallet, { limit, after })
  const listed = await findListed(db, wallet, { state, limit, after })
  if (state !== undefined && state !== 'unknown') return listed
  // Contacts after a full page are on the next one.
  const until = listed.length === limit ? listed.at(-1)!.peer : null
  const alone = await findWithoutConversation(db, wallet, { limit, after, until })
  return alone.length === 0 ? listed : [...listed, ...alone].toSorted(inOrderOfBytes).slice(0, limit)
}

interface ListQuery {
  state: Contact['state'] | undefined
  limit: number
  after: string
}

async function findListed(db: Db, wallet: string, { state, limit, after }: ListQuery): Promise<Contact[]> {
  const rows = await db.query<Stance & { peer: string }>(peersOf(conditions[state ?? 'all']), [
    wallet,
    after,
    limit,
  ])
  const known = await knownOf(
    db,
    wallet,
    rows.map(({ peer }) => peer),
  )
  const byPeer = new Map(known.map((contact) => [contact.peer, contact]))
  return rows.map((row) => contactOf(row.peer, row, byPeer.get(row.peer) ?? nothing, db.now()))
}

async function findNamed(db: Db, wallet: string, { limit, after }: { limit: number; after: string }) {
  const known = await db.query<Known & { peer: string }>(namedPeers, keyOf(wallet, after, limit))
  const peers = known.map(({ peer }) => peer)
  const stances = await db.query<Stance & { peer: string }>(stancesTo, [wallet, peers])
  const byPeer = new Map(stances.map((stance) => [stance.peer, stance]))
  return known.map((one) =>
    contactOf(one.peer, byPeer.get(one.peer) ?? { state: 0, blocked: false }, one, db.now()),
  )
}

/** Returns undefined when the wallet has reached its maximum of contacts. */
export async function updateContact(
  db: Db,
  wallet: string,
  peer: string,
  { state, blocked, alias, muted_until }: ContactUpdate,
  most: number,
): Promise<Contact | undefined> {
  const now = db.now()
  const change = {
    state: state === undefined || state === 'blocked' ? undefined : states.indexOf(state),
    blocked: state === undefined ? blocked : state === 'blocked',
    alias,
    mutedUntil: muted_until === undefined ? undefined : untilOf(muted_until, now),
  }
  const row = await setContact<Stance & Known>(db, wallet, peer, change, most)
  return row && contactOf(peer, row, row, now)
}

/** Returns until when the chat is muted now; undefined when the wallet has not joined it. */
export async function muteChat(
  db: Db,
  wallet: string,
  nftaddr: string,
  muted_until: string | null,
): Promise<string | null | undefined> {
  const now = db.now()
  const until = untilOf(muted_until, now)
  const [row] = await db.query<{ muted: boolean }>('select mute_chat_v1($1, $2, $3, $4, $5, $6) as muted', [
    now,
    ...keyOf(wallet),
    chatKey(nftaddr),
    until,
    eventJson({ type: 'inbox', nftaddr }),
  ])
  if (!row!.muted) return undefined
  return until === null ? null : untilText(until)
}
