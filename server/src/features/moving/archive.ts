// Makes a ZIP archive of chats: chat.jsonl with a line for each person and each message, the files of their messages, and a text that
// says what is in it. `parley import --from parley` reads it again, so nobody has to stay. The archive is made while it is sent.

import type { Readable } from 'node:stream'
import type { Db } from '../../db/pool.ts'
import { openBytes, type StoredFile } from '../../files/read.ts'
import type { FileStore } from '../../files/store.ts'
import { type ArchivedFile, zipOf } from '../../lib/zip.ts'
import { nameOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'

export const linesFile = 'chat.jsonl'

/** A chat by its key, and by its name as people see it. */
export interface ArchivedChat {
  chat: string
  nftaddr: string
}

const readme = `This archive has what was said in a community of a Parley, a self-hosted messaging service.

${linesFile} has a JSON object on each line, in UTF-8. Its "type" says what it is:

- "chat", before the messages of a chat or of a room: "key" is its name, "exported_at" when the archive was made.
- "person": "id" is an address, "name" the name that it has. An address such as discord:1234 is of a person who was imported.
- "message", in the order of time: "chat" (the key of its chat), "id", "author" (an address), "time" (RFC 3339), "text", and where it has them "reply_to" (an id),
  "files" (each with "path" in this archive, "name" and "type"), "reactions" (each with "emoji" and "users", who are addresses),
  "pinned" and "imported", which are true.

Messages that were removed, and what only their author sees, are not in it. parley import --from parley reads the archive again.
`

interface Row {
  id: number
  author: string
  time: string
  text: string
  name: string
  reply_to: number | null
  files: { id: string; name?: string; type?: string }[] | null
  reactions: { emoji: string; users: string[] }[] | null
  reactors: { id: string; name: string }[] | null
  pinned: boolean
  imported: boolean
}

/** Some messages have 64 KiB: a page has a megabyte of them at most. */
const pageSize = 16

const page = `
  select m.id, m.fromaddr as author, to_char(to_timestamp(m.ms::float8 / 1000) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time,
    m.message as text, ${nameOf('m.fromaddr')} as name, m.files, m.marks & 64 <> 0 as imported,
    (select q.id from group_messages q where q.bucket = $1 and q.chat = $2 and q.id = m.reply_to and q.removed_by is null) as reply_to,
    (select json_agg(json_build_object('emoji', v.value, 'users', v.users) order by v.value) from (
       select u.value collate "C" as value, array_agg(r.walletaddr order by r.walletaddr) as users
       from reactions r cross join lateral unnest(r.vals) as u (value)
       where r.bucket = $1 and r.item_id = m.id and not r.unseen and m.marks & 2 <> 0 group by 1) v) as reactions,
    (select json_agg(json_build_object('id', r.walletaddr, 'name', ${nameOf('r.walletaddr')}))
     from reactions r where r.bucket = $1 and r.item_id = m.id and not r.unseen and m.marks & 2 <> 0) as reactors,
    exists (select 1 from pins p where p.bucket = $1 and p.item_id = m.id and not p.unseen and m.marks & 4 <> 0) as pinned
  from group_messages m
  where m.bucket = $1 and m.chat = $2 and m.id > $3 and m.removed_by is null
  order by m.bucket, m.chat, m.id limit ${pageSize}`

/** A person has a line before the first message; this many are remembered, and of more some have two lines. */
const mostRemembered = 100_000

const line = (value: object) => `${JSON.stringify(value)}\n`

/** Yields the lines of one chat. */
async function* linesOfChat(
  db: Db,
  { chat, nftaddr }: ArchivedChat,
  remembered: Set<string>,
  onMessages: (count: number) => void,
): AsyncGenerator<string, void> {
  yield line({ type: 'chat', key: nftaddr, exported_at: new Date(db.now()).toISOString() })
  for (let after = 0; ;) {
    const rows: Row[] = await db.query<Row>(page, [chatBucket(chat), chat, after])
    for (const { id, author, name, time, text, ...rest } of rows) {
      for (const person of [{ id: author, name }, ...(rest.reactors ?? [])])
        if (person.name && !remembered.has(person.id)) {
          if (remembered.size === mostRemembered) remembered.clear()
          remembered.add(person.id)
          yield line({ type: 'person', id: person.id, name: person.name })
        }
      yield line({
        type: 'message',
        chat: nftaddr,
        id: String(id),
        author,
        time,
        text,
        ...(rest.reply_to !== null && { reply_to: String(rest.reply_to) }),
        ...(rest.files && {
          files: rest.files.map((one) => ({ path: `files/${one.id}`, name: one.name, type: one.type })),
        }),
        ...(rest.reactions && { reactions: rest.reactions }),
        ...(rest.pinned && { pinned: true }),
        ...(rest.imported && { imported: true }),
      })
    }
    onMessages(rows.length)
    if (rows.length < pageSize) return
    after = rows.at(-1)!.id
  }
}

/** Yields the files of messages. One that is blocked, waits for the scanner or whose bytes are missing is left out. */
async function* filesOf(
  db: Db,
  { chat }: ArchivedChat,
  fileStore: FileStore,
): AsyncGenerator<ArchivedFile, void> {
  for (let after = ''; ;) {
    const rows: StoredFile[] = await db.query<StoredFile>(
      `select id, size, parts, part_ends from files
       where bucket = $1 and place = $2 and id > $3 and item_id is not null and blocked is null and not unscanned
       order by bucket, id limit 100`,
      [chatBucket(chat), chat, after],
    )
    for (const file of rows) {
      const content = await openBytes(fileStore, file).catch(() => undefined)
      if (content) yield { name: `files/${file.id}`, stored: true, content }
    }
    if (rows.length < 100) return
    after = rows.at(-1)!.id
  }
}

interface Options {
  db: Db
  fileStore: FileStore
  /** These are the chats in their order. */
  chats: ArchivedChat[]
  onMessages?: (count: number) => void
  onFile?: () => void
}

/** Makes the archive of some chats while it is read. */
export function archiveOf({
  db,
  fileStore,
  chats,
  onMessages = () => {},
  onFile = () => {},
}: Options): Readable {
  async function* lines(): AsyncGenerator<string, void> {
    const remembered = new Set<string>()
    for (const chat of chats) yield* linesOfChat(db, chat, remembered, onMessages)
  }
  async function* contents(): AsyncGenerator<ArchivedFile, void> {
    yield { name: 'README.txt', content: linesOfReadme() }
    yield { name: linesFile, content: lines() }
    for (const chat of chats)
      for await (const file of filesOf(db, chat, fileStore)) {
        onFile()
        yield file
      }
  }
  return zipOf(contents())
}

async function* linesOfReadme(): AsyncGenerator<string, void> {
  yield readme
}
