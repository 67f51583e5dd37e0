// These functions say what a backup and a restore have done with the files of messages and with pictures.

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { FileList, Manifest } from '../backup/archive.ts'
import type { Config } from '../config/settings.ts'
import { mebibytes } from '../lib/amounts.ts'

const many = (count: number): string => (count === 1 ? '1 file' : `${count} files`)

/** Says how many files and pictures are in an archive, and how many are not. */
export const filesIn = (manifest: Manifest): string =>
  [filesOfMessagesIn(manifest), picturesIn(manifest)].filter(Boolean).join('\n')

function picturesIn({ pictures }: Manifest): string {
  if (!pictures || pictures.files === 0) return ''
  const { file, files, stored, stored_size } = pictures
  const inside = `With ${stored === 1 ? '1 picture' : `${stored} pictures`} (${mebibytes(stored_size)}).`
  if (stored === files) return inside
  return `${inside} The bytes of ${files - stored} more are missing or damaged, and readers get what the service has drawn: ${file} in the archive says which.`
}

function filesOfMessagesIn({ files }: Manifest): string {
  if (!files || files.files === 0) return 'No message has a file.'
  const { file, wanted, stored, stored_size } = files
  if (!wanted)
    return `Without ${outside(files)}: copy DATA_DIR/files (or the bucket of S3_URL) after the backup, or say --with-files. ${file} in the archive lists them.`
  const inside = `With ${many(stored)} (${mebibytes(stored_size)}).`
  if (stored === files.files) return inside
  return `${inside} Without ${outside(files)}, whose bytes are missing or damaged: ${file} in the archive says which.`
}

const outside = ({ files, size, stored, stored_size }: FileList) =>
  `${many(files - stored)} (${mebibytes(size - stored_size)})`

/** Says which files are back, and writes the ids of those that are missing into a file. */
export async function filesRestored(
  { dataDir }: Config,
  { files }: Manifest,
  missing: string[],
): Promise<{ text: string; data: object }> {
  const back =
    files && files.stored > 0 ? `${many(files.stored)} (${mebibytes(files.stored_size)}) restored. ` : ''
  if (missing.length === 0) return { text: `${back}Start the service now.`, data: { missing_files: 0 } }
  const list = path.resolve(dataDir, 'missing-files.txt')
  await mkdir(dataDir, { recursive: true })
  await writeFile(list, missing.map((id) => `${id}\n`).join(''), { mode: 0o600 })
  const are = missing.length === 1 ? 'is' : 'are'
  return {
    text: `${back}${many(missing.length)} ${are} missing (${list} has the ids): put the copy of DATA_DIR/files back, if you have one, and start the service then.`,
    data: { missing_files: missing.length, missing_list: list },
  }
}
