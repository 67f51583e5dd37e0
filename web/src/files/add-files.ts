import { mostFiles } from '@parley/sdk/files/attached.ts'
import { showNotice } from '../state/notice.ts'
import { addDraftFiles } from './draft-files.ts'

/** Adds files to a draft, and says which are left out. */
export function addFiles(draft: string, given: File[]): void {
  const full = given.filter(({ size }) => size > 0)
  const left = addDraftFiles(draft, full, mostFiles)
  if (full.length < given.length) showNotice('An empty file can’t be sent.')
  if (left > 0) showNotice(`A message has at most ${mostFiles} files.`)
}
