import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'

/** The store of an agent's journal. Each text replaces the one before, as a whole. */
export interface AgentStore {
  /** The last text that was saved; undefined when there is none. */
  load: () => Promise<string | undefined>
  /** Resolves when the text is on disk, also if the machine loses its power then. */
  save: (text: string) => Promise<void>
}

/**
 * Stores the journal in a file. Every reader of the file finds the earlier text or the new one, never a part: it is written
 * beside the file, to the disk, and then renamed. Only one agent at a time may use a file.
 */
export function fileStore(file: string): AgentStore {
  return {
    async load() {
      try {
        return await readFile(file, 'utf8')
      } catch (error) {
        if ((error as { code?: string }).code === 'ENOENT') return undefined
        throw error
      }
    },
    async save(text) {
      const beside = `${file}.new`
      await writeToDisk(beside, text)
      await rename(beside, file)
      await syncFolder(path.dirname(file))
    },
  }
}

async function writeToDisk(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes the folder to disk, and with it the name of the file. Windows opens no folders, and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  try {
    await handle?.sync()
  } catch {
    // Some file systems have no such call.
  } finally {
    await handle?.close()
  }
}
