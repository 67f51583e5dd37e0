// Files of messages and pictures of wallets and communities in a backup. A list of each is in every archive. The bytes of pictures
// are in it too, those of files only when the operator wants that: each whole under its id, as they are, because most are compressed
// already. Nothing but one page of rows is in memory.

import { createHash } from 'node:crypto'
import type { Session } from '../db/session.ts'
import { bytesOf, type StoredFile } from '../files/read.ts'
import type { FileStore } from '../files/store.ts'
import type { ArchivedFile } from '../lib/zip.ts'
import { type Archive, type Content, type FileList, type Manifest, storedKinds } from './archive.ts'

interface Row extends StoredFile {
  bucket: number
  /** The hash is hexadecimal. */
  sha256: string
}

/** This is a line of the list. */
interface Listed extends Omit<Row, 'bucket'> {
  /** This is true when the bytes are in the archive. */
  stored: boolean
}

const atOnce = 500

type Kind = (typeof storedKinds)[number]

const contentOf = (kind: Kind, { id, size, sha256 }: Omit<Row, 'bucket'>): Content => ({
  file: `${kind}/${id}`,
  bytes: size,
  sha256,
})

/**
 * Selects what is stored, page by page: the files that messages have, without those that nobody has sent yet and those that have no
 * bytes because they are blocked; and all pictures.
 */
const selecting: Record<Kind, string> = {
  files: `select bucket, id, size::float8 as size, encode(sha256, 'hex') as sha256, parts, part_ends from files
    where item_id is not null and blocked is distinct from 2 and (bucket, id) > ($1, $2) order by bucket, id limit ${atOnce}`,
  pictures: `select wbucket as bucket, file as id, size::float8 as size, encode(sha256, 'hex') as sha256, array[part] as parts, array[size] as part_ends
    from images where (wbucket, file) > ($1, $2) order by wbucket, file limit ${atOnce}`,
}

async function* findStored({ query }: Session, kind: Kind): AsyncGenerator<Row, void, undefined> {
  for (let after: [number, string] | undefined = [-1, '']; after;) {
    const page: Row[] = await query<Row>(selecting[kind], after)
    yield* page
    const last = page.at(-1)
    after = last && page.length === atOnce ? [last.bucket, last.id] : undefined
  }
}

interface FilesOfBackup {
  /** What is in the list, and how much of it is in the archive; it is complete when `entries` has ended. */
  list: FileList
  /** Yields the bytes of files, and then the list. */
  entries: (onBytes: (bytes: number) => void) => AsyncGenerator<ArchivedFile, void, undefined>
  /** Yields the files whose bytes are in the archive. */
  contents: () => AsyncGenerator<Content, void, undefined>
}

/** Reads the files of messages, or the pictures, in the transaction of a backup; their bytes too where a store is given. */
export function filesOfBackup(session: Session, kind: Kind, store: FileStore | undefined): FilesOfBackup {
  const list: FileList = {
    file: `${kind}.jsonl`,
    bytes: 0,
    sha256: '',
    files: 0,
    size: 0,
    wanted: store !== undefined,
    stored: 0,
    stored_size: 0,
  }
  /** The bytes of these are missing, or are not what their uploader sent. */
  const lost = new Set<string>()
  const isStored = ({ id }: Row) => store !== undefined && !lost.has(id)

  async function* checked(
    row: Row,
    chunks: AsyncIterable<Buffer>,
    onBytes: (bytes: number) => void,
  ): AsyncGenerator<Buffer, void, undefined> {
    const hash = createHash('sha256')
    try {
      for await (const chunk of chunks) {
        hash.update(chunk)
        onBytes(chunk.length)
        yield chunk
      }
    } catch (error) {
      // A file may be deleted while it is read, and a picture replaced. What is in the archive of it counts for nothing.
      if (!isMissing(error)) throw error
    }
    if (hash.digest('hex') !== row.sha256) lost.add(row.id)
  }

  async function* lines(): AsyncGenerator<string, void, undefined> {
    const hash = createHash('sha256')
    for await (const row of findStored(session, kind)) {
      const { id, size, sha256, parts, part_ends } = row
      const stored = isStored(row)
      const line = `${JSON.stringify({ id, size, sha256, parts, part_ends, stored } satisfies Listed)}\n`
      hash.update(line)
      list.bytes += line.length
      list.files++
      list.size += size
      if (stored) {
        list.stored++
        list.stored_size += size
      }
      yield line
    }
    list.sha256 = hash.digest('hex')
  }

  return {
    list,
    async *entries(onBytes) {
      if (store)
        for await (const row of findStored(session, kind))
          if ((await sizeIn(store, row)) === row.size)
            yield {
              name: contentOf(kind, row).file,
              stored: true,
              content: checked(row, bytesOf(store, row), onBytes),
            }
          else lost.add(row.id)
      yield { name: list.file, content: lines() }
    },
    async *contents() {
      if (store)
        for await (const row of findStored(session, kind)) if (isStored(row)) yield contentOf(kind, row)
    },
  }
}

/** Returns how many bytes the store has of a file. */
async function sizeIn(store: FileStore, { id, parts }: Pick<Row, 'id' | 'parts'>): Promise<number> {
  let size = 0
  for (const part of parts) size += (await store.sizeOf(id, part)) ?? 0
  return size
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Yields the lines of the list of an archive; throws at the end when it is damaged. */
async function* readList({ manifest, read }: Archive, kind: Kind): AsyncGenerator<Listed, void, undefined> {
  const list = manifest[kind]
  if (!list) return
  let rest = ''
  for await (const chunk of read(list)) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield parse(line)
  }
}

function parse(line: string): Listed {
  try {
    const listed = JSON.parse(line) as Listed
    // These become names of files on the disk.
    if ([listed.id, ...listed.parts].every((name) => /^[\w-]+$/.test(name))) return listed
  } catch {}
  throw new Error('The archive is damaged: a line of its list of files is none. Take another backup.')
}

/** Reads the lists and all files and pictures that an archive has, as a restore would. */
export async function verifyFiles(archive: Archive, onBytes: (bytes: number) => void): Promise<void> {
  for (const kind of storedKinds)
    for await (const listed of readList(archive, kind))
      if (listed.stored) for await (const { length } of archive.read(contentOf(kind, listed))) onBytes(length)
}

/** Returns the bytes of all files and pictures that an archive has. */
export const storedBytes = (manifest: Manifest): number =>
  storedKinds.reduce((sum, kind) => sum + (manifest[kind]?.stored_size ?? 0), 0)

interface RestoreFiles {
  store: FileStore
  onBytes: (bytes: number) => void
  /** This is called for each file whose bytes are neither in the archive nor in the store. */
  onMissing: (id: string) => void
}

/**
 * Puts the files and pictures of an archive into the store, under the names that their rows have. After a failure some stay there: the next
 * attempt replaces them, and the service deletes those without a row.
 */
export async function restoreFiles(
  archive: Archive,
  { store, onBytes, onMissing }: RestoreFiles,
): Promise<void> {
  for (const kind of storedKinds)
    for await (const listed of readList(archive, kind)) {
      if (listed.stored) await restoreFile(store, listed, archive.read(contentOf(kind, listed)), onBytes)
      else if ((await sizeIn(store, listed)) !== listed.size) onMissing(listed.id)
    }
}

async function restoreFile(
  store: FileStore,
  { id, parts, part_ends: ends }: Listed,
  chunks: AsyncGenerator<Buffer, void, undefined>,
  onBytes: (bytes: number) => void,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  async function* next(length: number): AsyncGenerator<Buffer, void, undefined> {
    for (let left = length; left > 0;) {
      if (rest.length === 0) {
        const { value } = await chunks.next()
        if (!value) return
        rest = value
      }
      const piece = rest.subarray(0, left)
      rest = rest.subarray(piece.length)
      left -= piece.length
      onBytes(piece.length)
      yield piece
    }
  }
  try {
    for (const [n, part] of parts.entries()) {
      const length = ends[n]! - (ends[n - 1] ?? 0)
      // A part as a whole may be sent again where a store is busy.
      const bytes = Buffer.concat(await Array.fromAsync(next(length)))
      await store.deletePart(id, part)
      await store.write(id, part, bytes, length)
    }
    // The archive compares the hash after the last byte.
    for await (const _more of chunks);
  } finally {
    await chunks.return()
  }
}
