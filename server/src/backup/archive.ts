// The format of a backup: a ZIP archive with a file per table in the text format of COPY, which
// every version of PostgreSQL reads, and a manifest that lists what must be in it. SHA256SUMS holds
// the checksums of all files, also of the manifest, for `sha256sum --check`, so that anyone can
// check whether a backup is complete.

import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { type Entry, openPromise } from 'yauzl'

/** A file of the archive. */
export interface Content {
  file: string
  bytes: number
  sha256: string
}

/** The rows of a table, or of the waiting jobs. */
export interface Rows extends Content {
  columns: string[]
  rows: number
}

/** What has bytes in the store of files: the files that messages have, and pictures. */
export const storedKinds = ['files', 'pictures'] as const

/** The list of the files that messages have, or of the pictures, with a line for each. */
export interface FileList extends Content {
  files: number
  /** The bytes of all of them. */
  size: number
  /** This is true when the operator wanted their bytes in the archive. */
  wanted: boolean
  /** This many of them are in the archive, with these bytes. */
  stored: number
  stored_size: number
}

export interface Manifest {
  format: 'parley-backup/1'
  /** The version of Parley that made it. */
  parley: string
  /** The time that it shows: all tables as they were at this moment. */
  created_at: string
  /** The migrations that were applied to the tables, in order. */
  migrations: string[]
  tables: Record<string, Rows>
  jobs: Rows
  /** An archive of an early Parley has none of these. */
  files?: FileList
  pictures?: FileList
  /** The next value of each sequence. */
  sequences: Record<string, number>
  /** The secret that signs tokens, when the operator wanted it in the backup. */
  secret?: Content
}

export const format = 'parley-backup/1'
export const manifestFile = 'manifest.json'
export const checksumsFile = 'SHA256SUMS'

/** Returns all files that the manifest lists. Those of messages and pictures are in lists of their own. */
export const contentsOf = ({ tables, jobs, files, pictures, secret }: Manifest): Content[] => [
  ...Object.values(tables),
  jobs,
  ...(files ? [files] : []),
  ...(pictures ? [pictures] : []),
  ...(secret ? [secret] : []),
]

export interface Archive extends AsyncDisposable {
  manifest: Manifest
  /** Yields the bytes of a file; throws at the end when they do not match the manifest. */
  read: (content: Content) => AsyncGenerator<Buffer, void, undefined>
}

/** Opens a backup and checks its manifest. */
export async function openArchive(path: string): Promise<Archive> {
  const damaged = (what: string, cause?: unknown) =>
    new Error(`${path} is damaged: ${what}. Take another backup.`, { cause })
  const zip = await openPromise(path, { autoClose: false }).catch((error: Error & { code?: string }) => {
    if (error.code === 'ENOENT') throw new Error(`There is no file ${path}.`, { cause: error })
    throw damaged(error.message, error)
  })

  async function* read({ file, bytes, sha256 }: Content): AsyncGenerator<Buffer, void, undefined> {
    const entry = entries.get(file)
    if (!entry) throw damaged(`it lacks ${file}`)
    const hash = createHash('sha256')
    let count = 0
    try {
      for await (const chunk of await zip.openReadStreamPromise(entry)) {
        hash.update(chunk as Buffer)
        count += (chunk as Buffer).length
        yield chunk as Buffer
      }
    } catch (error) {
      throw damaged(`${file} cannot be read (${(error as Error).message})`, error)
    }
    if (count !== bytes || hash.digest('hex') !== sha256)
      throw damaged(`${file} is not what it was when it was written`)
  }

  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const manifest = await readManifest(async (file) => {
      const entry = entries.get(file)
      if (!entry) throw new Error(`it lacks ${file}`)
      return text(await zip.openReadStreamPromise(entry))
    })
    for (const { file } of contentsOf(manifest)) if (!entries.has(file)) throw new Error(`it lacks ${file}`)
    return { manifest, read, [Symbol.asyncDispose]: async () => zip.close() }
  } catch (error) {
    zip.close()
    throw damaged((error as Error).message, error)
  }
}

async function readManifest(read: (file: string) => Promise<string>): Promise<Manifest> {
  const [json, checksums] = [await read(manifestFile), await read(checksumsFile)]
  const sha256 = createHash('sha256').update(json).digest('hex')
  if (!checksums.split('\n').includes(`${sha256}  ${manifestFile}`))
    throw new Error(`${manifestFile} is not what it was when it was written`)
  const manifest = JSON.parse(json) as Manifest
  if (manifest.format !== format)
    throw new Error(`its format is unknown to this Parley (${JSON.stringify(manifest.format)})`)
  return manifest
}
