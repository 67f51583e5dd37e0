import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ArchivedFile {
  /** With slashes between folders. */
  name: string
  content: AsyncIterable<string | Buffer>
  /** Set where the content is compressed already. */
  stored?: boolean
}

/**
 * A ZIP archive of files as they come, made at the pace of its reader: one file is open at a time, and nothing is kept but
 * the list of names. When a file fails, so does the archive.
 */
export function zipOf(files: AsyncIterable<ArchivedFile>): Readable {
  const zip = new ZipFile()
  const archive = zip.outputStream as Readable
  let open: Readable | undefined
  // The reader may leave in the middle.
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
