// Writes a chat into a file: the archive that its owner can download too (features/moving/archive.ts).

import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { layouts } from '../cluster/layout.ts'
import { findLayout } from '../db/layout.ts'
import { connect } from '../db/pool.ts'
import { archiveOf } from '../features/moving/archive.ts'
import type { FileStore } from '../files/store.ts'
import type { OnProgress } from '../lib/progress.ts'
import { chatKey } from '../messages/chat-key.ts'
import { chatBucket } from '../values/bucket.ts'

interface Exported {
  messages: number
  files: number
}

interface Options {
  databaseUrl: string
  fileStore: FileStore
  nftaddr: string
  to: string
  onProgress?: OnProgress
}

export async function exportChat({
  databaseUrl: url,
  fileStore,
  nftaddr,
  to,
  onProgress = () => {},
}: Options): Promise<Exported> {
  await using db = connect(url, { layout: layouts[await findLayout(url)], size: 2 })
  await db.learnTime()
  const chat = chatKey(nftaddr)
  const [found] = await db.query<{ nftaddr: string; posted: number }>(
    'select nftaddr, posted from group_chats where bucket = $1 and chat = $2',
    [chatBucket(chat), chat],
  )
  if (!found) throw new Error(`There is no chat ${nftaddr}, or nobody has posted in it.`)
  const counts = { messages: 0, files: 0 }
  const onMessages = (count: number) => {
    counts.messages += count
    onProgress('messages', counts.messages, found.posted)
  }
  const archive = archiveOf({
    db,
    fileStore,
    chats: [{ chat, nftaddr: found.nftaddr }],
    onMessages,
    onFile: () => void counts.files++,
  })
  const file = createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true })
  try {
    await pipeline(archive, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Error(`${to} exists already. Move it away, or choose another name.`, { cause: error })
    await rm(to, { force: true })
    throw error
  }
  return counts
}
