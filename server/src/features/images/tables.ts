import { keysOf } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import type { Tables } from '../../feature.ts'
import type { FileStore } from '../../files/store.ts'
import type { ArchivedFile } from '../../lib/zip.ts'
import { findOneUnseen } from '../../messages/unseen.ts'
import { findPicture } from './store.ts'

/** Yields the wallet's own picture, and those of the communities it has created. */
async function* findFiles(
  db: Db,
  wallet: string,
  fileStore: FileStore,
): AsyncGenerator<ArchivedFile, void, undefined> {
  const find = async (addr: string, name: string): Promise<ArchivedFile[]> => {
    // One at a time: a picture has megabytes.
    const own = await findOneUnseen(db, wallet, 'picture', addr)
    const bytes = own ? decoded(own.base64data) : await bytesOf(db, fileStore, addr)
    return bytes ? [{ name: `${name}.${extensionOf(bytes)}`, stored: true, content: once(bytes) }] : []
  }
  yield* await find(wallet, 'picture')
  for await (const chat of keysOf(db, `communities where creator = $1`, wallet))
    yield* await find(chat, `communities/${encodeURIComponent(chat)}`)
}

/** Returns the bytes of the picture of an address, or where they cannot be read those that the service has drawn of it. */
async function bytesOf(db: Db, fileStore: FileStore, addr: string): Promise<Buffer | undefined> {
  const found = await findPicture(db, fileStore, addr)
  return found && (found.bytes ?? decoded(found.shown))
}

const decoded = (base64data: string) => Buffer.from(base64data.slice(base64data.indexOf(',') + 1), 'base64')

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
