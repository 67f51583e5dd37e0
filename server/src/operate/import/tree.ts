// Reads the files of an export: a folder, a ZIP archive, or one file with the folder that it lies in. Nothing outside of it is ever
// read: a path that leads out of it, by its name or by a link, is no file of the export. A ZIP archive is never unpacked.

import { createReadStream } from 'node:fs'
import { lstat, opendir, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { type Entry, openPromise } from 'yauzl'
import { ImportError } from './records.ts'

export interface Tree extends AsyncDisposable {
  /** These are the names of all files, from its folder on, with slashes, in their order. */
  names: string[]
  has: (name: string) => boolean
  /** Returns the bytes of a file; undefined where the export does not have it, `outside` where its path leads out of it. */
  sizeOf: (name: string) => Promise<number | undefined | 'outside'>
  read: (name: string) => Promise<Readable>
}

/** An export of the largest servers has fewer. The list of names is in memory. */
const mostFiles = 500_000
/** A part of an archive that unpacks to more than this many times its size is no text and no picture, but an attack. */
const mostGrowth = 300
const smallEnough = 64 * 2 ** 20

const tooMany = () => new ImportError(`The export has more than ${mostFiles} files. Import it in parts.`)

/** Opens an export. */
export async function openTree(given: string): Promise<Tree> {
  const info = await lstat(await realpath(given).catch(() => given)).catch(() => {
    throw new ImportError(`There is no file or folder ${given}.`)
  })
  if (info.isDirectory()) return folder(given, await namesIn(given))
  if (!info.isFile()) throw new ImportError(`${given} is no file and no folder.`)
  if (/\.zip$/i.test(given)) return archive(given)
  return folder(path.dirname(given), [path.basename(given)])
}

async function namesIn(root: string, below = ''): Promise<string[]> {
  const names: string[] = []
  for await (const entry of await opendir(path.join(root, below))) {
    const name = below ? `${below}/${entry.name}` : entry.name
    // A link is no file and no folder here.
    if (entry.isDirectory()) for (const one of await namesIn(root, name)) names.push(one)
    else if (entry.isFile()) names.push(name)
    if (names.length > mostFiles) throw tooMany()
  }
  return names.toSorted()
}

async function folder(given: string, names: string[]): Promise<Tree> {
  const root = await realpath(given)
  /** Follows links, and returns the path only where it is inside. */
  const inside = async (name: string): Promise<{ real: string } | 'outside' | undefined> => {
    if (name.includes('\0')) return 'outside'
    const full = path.resolve(root, name.replaceAll('\\', '/'))
    if (!full.startsWith(root + path.sep)) return 'outside'
    const real = await realpath(full).catch(() => undefined)
    if (real === undefined) return undefined
    return real.startsWith(root + path.sep) ? { real } : 'outside'
  }
  const known = new Set(names)
  return {
    names,
    has: (name) => known.has(name),
    async sizeOf(name) {
      const found = await inside(name)
      if (found === undefined || found === 'outside') return found
      const info = await lstat(found.real)
      return info.isFile() ? info.size : undefined
    },
    async read(name) {
      const found = await inside(name)
      if (found === undefined || found === 'outside') throw new ImportError(`${name} is not in the export.`)
      return createReadStream(found.real)
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

async function archive(file: string): Promise<Tree> {
  const zip = await openPromise(file, { autoClose: false }).catch((error: Error) => {
    throw new ImportError(`${file} is no ZIP archive that can be read: ${error.message}.`)
  })
  const entries = new Map<string, Entry>()
  try {
    // The library refuses names that are absolute or lead out of the archive.
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
      if (entries.size > mostFiles) throw tooMany()
    }
  } catch (error) {
    zip.close()
    throw error instanceof ImportError
      ? error
      : new ImportError(`${file} cannot be read: ${(error as Error).message}.`)
  }
  return {
    names: [...entries.keys()].toSorted(),
    has: (name) => entries.has(name),
    sizeOf: async (name) => {
      const clean = path.posix.join('.', name.replaceAll('\\', '/'))
      if (clean.startsWith('../') || clean.startsWith('/')) return 'outside'
      return entries.get(clean)?.uncompressedSize
    },
    async read(name) {
      const entry = entries.get(path.posix.join('.', name.replaceAll('\\', '/')))
      if (!entry) throw new ImportError(`${name} is not in the export.`)
      if (entry.uncompressedSize > Math.max(smallEnough, entry.compressedSize * mostGrowth))
        throw new ImportError(
          `${name} in the archive unpacks to more than ${mostGrowth} times its size. That is no export: nothing was imported.`,
        )
      // The library ends the stream with an error when there are more bytes than the archive says.
      return zip.openReadStreamPromise(entry)
    },
    [Symbol.asyncDispose]: async () => zip.close(),
  }
}
