import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ArchivedFile {
  /** The name has slashes between folders. */
  name: string
  content: AsyncIterable<string | Buffer>
  /** This is true when the content is compressed already. */
  stored?: boolean
}

/**
 * Makes a ZIP archive of files at the speed of its reader: one file is open at a time, and only the list of names is in memory.
 * When a file fails, the archive fails.
 */
export function zipOf(files: AsyncIterable<ArchivedFile>): Readable {
  const zip = new ZipFile()
  const archive = zip.outputStream as Readable
  let open: Readable | undefined
  // The reader may stop in the middle.
  archive.once('close', () => open?.destroy())
  zip.on('error', (error: Error) => archive.destroy(error))

  async function fill(): Promise<void> {
    for await (const { name, content, stored } of files) {
      if (archive.destroyed) return
      open = Readable.from(content, { objectMode: false, highWaterMark: 1 })
      zip.addReadStream(open, name, { compress: !stored })
      await finished(open)
    }
    zip.end()
  }
  fill().catch((error: Error) => archive.destroy(error))
  return archive
}
