// Stores what a wallet that is muted unseen changes of itself and its communities: only this wallet sees the change. Requests of
// other wallets do not search for it, so their lists and messages cost the same as without.

import type { Publishing } from '../auth/publishing.ts'
import { isShadowMuted, type Standing } from '../auth/standing.ts'
import type { Db } from '../db/pool.ts'
import { keyOf, ofWallet } from '../db/own-rows.ts'
import { day } from '../lib/times.ts'
import { walletBucket } from '../values/bucket.ts'

/** This has what is stored for each kind of change; `community` is one that the wallet has created. */
interface Changes {
  name: { name: string; domain?: string | undefined; signupsite?: string | undefined }
  picture: { base64data: string; shown: string }
  social: { social: { name: string; type: string }[] }
  about: { about: string; tags: string[]; listed: boolean }
  community: Record<string, never>
  /** `made` is for a room that the wallet has created. */
  room: { title?: string; about?: string; made?: true }
}
type Kind = keyof Changes

type Standings = Pick<Standing, 'sanction' | 'subjectsOf'>

/** Stores a change and returns its id; undefined where others may see the change, which must then be made for all. */
export async function keepUnseen<K extends Kind>(
  db: Db,
  { isUnseen }: Publishing,
  wallet: string,
  change: { kind: K; about: string; value: Changes[K] },
): Promise<number | undefined> {
  if (!isUnseen) return undefined
  const { kind, about, value } = change
  const [stored] = await db.query<{ id: number }>('select keep_unseen_v1($1, $2, $3, $4, $5, $6) as id', [
    db.now(),
    ...keyOf(wallet),
    kind,
    about,
    JSON.stringify(value),
  ])
  return stored!.id
}

/** Returns a wallet's changes of a kind, by what they are about: its export has them in place of what others see. */
export async function findAllUnseen<K extends Kind>(
  db: Db,
  wallet: string,
  kind: K,
): Promise<Map<string, Changes[K]>> {
  const rows = await db.query<{ about: string; value: string }>(
    `select about, value from unseen_changes where ${ofWallet} and kind = $3`,
    keyOf(wallet, kind),
  )
  return new Map(rows.map(({ about, value }) => [about, JSON.parse(value) as Changes[K]]))
}

/** Returns a wallet's change of a kind, where there is one. */
export async function findOneUnseen<K extends Kind>(
  db: Db,
  wallet: string,
  kind: K,
  about: string,
): Promise<(Changes[K] & { id: number }) | undefined> {
  const [stored] = await db.query<{ id: number; value: string }>(
    `select id, value from unseen_changes where ${ofWallet} and kind = $3 and about = $4`,
    keyOf(wallet, kind, about),
  )
  return stored && { ...(JSON.parse(stored.value) as Changes[K]), id: stored.id }
}

/** Returns what a reader has changed unseen; undefined for everybody else. */
export const findUnseen = async <K extends Kind>(
  { db, standing }: { db: Db; standing: Standings },
  reader: string,
  kind: K,
  about: string,
): Promise<(Changes[K] & { id: number }) | undefined> =>
  isShadowMuted(standing, reader) ? findOneUnseen(db, reader, kind, about) : undefined

/** Deletes a change of a kind, which the wallet takes back. */
export const deleteUnseen = (
  { db, standing }: { db: Db; standing: Standings },
  wallet: string,
  kind: Kind,
  about: string,
) =>
  isShadowMuted(standing, wallet)
    ? db.query(
        `delete from unseen_changes where ${ofWallet} and kind = $3 and about = $4`,
        keyOf(wallet, kind, about),
      )
    : []

const mutedUnseen = (standing: Standings) =>
  standing.subjectsOf('shadow_mute').filter((wallet) => isShadowMuted(standing, wallet))

/** Returns the communities that wallets have created since they were muted unseen, except those of the reader. */
export async function findUnseenCommunities(
  { db, standing }: { db: Db; standing: Standings },
  reader: string | null,
): Promise<string[]> {
  const rows = await findOfOthers({ db, standing }, reader, 'community')
  return rows.map(({ about }) => about)
}

/** Returns the rooms that wallets have created since they were muted unseen, except those of the reader. */
export async function findUnseenRooms(
  tools: { db: Db; standing: Standings },
  reader: string | null,
): Promise<string[]> {
  const rows = await findOfOthers(tools, reader, 'room')
  return rows.filter(({ value }) => (JSON.parse(value) as Changes['room']).made).map(({ about }) => about)
}

async function findOfOthers(
  { db, standing }: { db: Db; standing: Standings },
  reader: string | null,
  kind: Kind,
): Promise<{ about: string; value: string }[]> {
  const authors = mutedUnseen(standing).filter((wallet) => wallet !== reader)
  if (authors.length === 0) return []
  return db.query<{ about: string; value: string }>(
    `select about, value from unseen_changes where wbucket = any($1::integer[]) and walletaddr = any($2::text[]) and kind = $3`,
    [[...new Set(authors.map(walletBucket))], authors, kind],
  )
}

/** Deletes the changes of wallets that are no longer muted unseen. Every instance has known that for a day. */
export const deleteSeenChanges = (db: Db, standing: Standings) =>
  db.query('delete from unseen_changes where ms < $1 and walletaddr <> all ($2::text[])', [
    db.now() - day,
    mutedUnseen(standing),
  ])
