import { keysOf } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofOwner } from '../../db/own-rows.ts'
import type { Tables } from '../../feature.ts'
import type { ArchivedFile } from '../../lib/zip.ts'
import { findOneUnseen } from '../../messages/unseen.ts'

/** Yields the wallet's own picture, and those of the communities it has created. */
async function* findFiles(db: Db, wallet: string): AsyncGenerator<ArchivedFile, void, undefined> {
  const find = async (addr: string, name: string): Promise<ArchivedFile[]> => {
    // One at a time: a picture has megabytes.
    const own = await findOneUnseen(db, wallet, 'picture', addr)
    const pictures = own
      ? [own]
      : await db.query<{ base64data: string }>(
          `select base64data from images where ${ofOwner('addr')}`,
          keyOf(addr),
        )
    return pictures.map(({ base64data }) => {
      const bytes = Buffer.from(base64data.slice(base64data.indexOf(',') + 1), 'base64')
      return { name: `${name}.${extensionOf(bytes)}`, stored: true, content: once(bytes) }
    })
  }
  yield* await find(wallet, 'picture')
  for await (const chat of keysOf(db, `communities where creator = $1`, wallet))
    yield* await find(chat, `communities/${encodeURIComponent(chat)}`)
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield bytes
}

/** Returns the extension for files of the five kinds of pictures. */
function extensionOf(bytes: Buffer): string {
  if (bytes[0] === 0x89) return 'png'
  if (bytes[0] === 0xff) return 'jpg'
  if (bytes[0] === 0x47) return 'gif'
  return bytes[0] === 0x52 ? 'webp' : 'avif'
}

export const tables: Tables = {
  images: {
    exported: { files: findFiles },
    erased: 'with the profile',
    ends: 'erasure',
    access: 'public',
  },
}
