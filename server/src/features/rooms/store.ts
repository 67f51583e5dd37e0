import { mostRooms, type NewRoom, type Room, type RoomChange } from '@parley/sdk/contract/rooms.ts'
import type { Publishing } from '../../auth/publishing.ts'
import type { Db } from '../../db/pool.ts'
import { log } from '../../messages/chat-log.ts'
import { communityOf } from '../../messages/chat-key.ts'
import { drawEvents } from '../../messages/events.ts'
import { isDue } from '../../messages/rooms.ts'
import { instant } from '../../messages/shared-sql.ts'
import { findOneUnseen, keepUnseen } from '../../messages/unseen.ts'
import { chatBucket } from '../../values/bucket.ts'

interface Row extends Omit<Room, 'due' | 'archived_at'> {
  due: boolean
  archived_at: string | null
}

const roomOf = ({ due, archived_at, ...room }: Row): Room => ({
  ...room,
  ...(due && { due }),
  ...(archived_at !== null && { archived_at }),
})

/** Returns the rooms of a community in their order, for a wallet that has or has not joined them. */
export async function findRooms(db: Db, community: string, reader: string): Promise<Room[]> {
  const rows = await db.query<Row>(
    `select k.community || substr(r.chat, strpos(r.chat, '/')) as nftaddr, r.title, r.about, r.kind, r.by_default,
       coalesce(v.joined, false) as joined, coalesce(h.joined, false) and ${isDue} as due, ${instant('r.archived_ms')} as archived_at
     from rooms r join communities k on k.bucket = $1 and k.chat = r.parent
     left join group_visits v on v.bucket = $1 and v.chat = r.chat and v.walletaddr = $3
     left join group_visits h on h.bucket = $1 and h.chat = r.parent and h.walletaddr = $3
     where r.bucket = $1 and r.parent = $2 order by r.position, r.chat`,
    [chatBucket(community), community, reader],
  )
  return rows.map(roomOf)
}

export async function hasJoined(db: Db, chat: string, wallet: string): Promise<boolean> {
  const rows = await db.query(
    'select chat from group_visits where bucket = $1 and chat = $2 and walletaddr = $3 and joined',
    [chatBucket(chat), chat, wallet],
  )
  return rows.length > 0
}

interface By {
  chat: string
  actor: string
}

/**
 * Changes the rooms of a community in one transaction, with a row in the log of the chat and an event for its members, unless
 * `change` returns no action. What a wallet does that is muted unseen is announced to that wallet alone.
 */
const changing = (
  db: Db,
  isUnseen: boolean,
  { chat, actor }: By,
  change: (tx: Db) => Promise<string | undefined>,
): Promise<void> =>
  db.transaction(async (tx) => {
    const community = communityOf(chat)
    const { announce } = await drawEvents(tx, [
      {
        chat: community,
        only: isUnseen ? actor : undefined,
        event: { type: 'rooms', nftaddr: community, room: chat },
      },
    ])
    const action = await change(tx)
    if (action === undefined) return
    await log(tx, { chat, actor, action })
    await announce()
  })

type Refusal = 'taken' | 'similar' | 'full'

/** Creates a room, or returns why not. What a wallet writes that is muted unseen, it alone sees. */
export async function insertRoom(
  db: Db,
  publishing: Publishing,
  by: By,
  { title, about = '', kind = 'text', by_default = false }: Omit<NewRoom, 'room'>,
  skeletons: string[],
): Promise<Refusal | null> {
  const { chat, actor } = by
  const name = chat.slice(communityOf(chat).length + 1)
  const texts = publishing.isUnseen ? [name, ''] : [title ?? name, about]
  let refused: Refusal | null = null
  await changing(db, publishing.isUnseen, by, async (tx) => {
    const [row] = await tx.query<{ refused: Refusal | null }>(
      'select create_room_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as refused',
      [tx.now(), chatBucket(chat), chat, communityOf(chat), ...texts, kind, by_default, skeletons, mostRooms],
    )
    refused = row!.refused
    if (refused) return undefined
    const value = { title: title ?? name, about, made: true } as const
    await keepUnseen(tx, publishing, actor, { kind: 'room', about: chat, value })
    return 'create_room'
  })
  return refused
}

const actionOf = ({ archived }: RoomChange) =>
  archived === undefined ? 'change_room' : archived ? 'archive_room' : 'open_room'

export const updateRoom = (db: Db, publishing: Publishing, by: By, change: RoomChange) =>
  changing(db, publishing.isUnseen, by, async (tx) => {
    const { chat, actor } = by
    const { title, about, kind, by_default, archived, position } = change
    const texts = publishing.isUnseen ? [null, null] : [title ?? null, about ?? null]
    const [row] = await tx.query<{ changed: boolean }>(
      'select change_room_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as changed',
      [
        tx.now(),
        chatBucket(chat),
        chat,
        communityOf(chat),
        ...texts,
        kind ?? null,
        by_default ?? null,
        archived ?? null,
        position ?? null,
      ],
    )
    if (publishing.isUnseen) {
      const { id: _, ...before } = (await findOneUnseen(tx, actor, 'room', chat)) ?? { id: 0 }
      const value = {
        ...before,
        ...(title !== undefined && { title }),
        ...(about !== undefined && { about }),
      }
      await keepUnseen(tx, publishing, actor, { kind: 'room', about: chat, value })
    }
    return row!.changed || publishing.isUnseen ? actionOf(change) : undefined
  })

/** Deletes a room; returns false when somebody has posted in it. */
export async function deleteRoom(db: Db, isUnseen: boolean, by: By): Promise<boolean> {
  const { chat } = by
  let isDeleted = false
  await changing(db, isUnseen, by, async (tx) => {
    const [row] = await tx.query<{ deleted: boolean }>('select delete_room_v1($1, $2, $3) as deleted', [
      chatBucket(chat),
      chat,
      communityOf(chat),
    ])
    isDeleted = row!.deleted
    if (!isDeleted) return undefined
    // A later room of this name is another one.
    await tx.query(
      'update chat_gates set read_rule = null, post_rule = null, ms = $3 where bucket = $1 and chat = $2',
      [chatBucket(chat), chat, tx.now()],
    )
    return 'delete_room'
  })
  return isDeleted
}
