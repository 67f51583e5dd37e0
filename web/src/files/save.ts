// A file is saved under its name. One that can run programs is saved after a question.

import { showNotice } from '../state/notice.ts'
import { holdFile, load } from './kept.ts'
import { mayRun, nameToSave } from './names.ts'
import type { ShownFile } from './shown.ts'
import { askedToSave } from './viewed.ts'

/** Saves a file, or asks first. */
export function save(file: ShownFile): void {
  if (mayRun(file)) askedToSave.set(file)
  else void saveNow(file)
}

/** Saves a file. Whatever its type is, the browser gets bytes: it opens none of them in this page's place. */
export async function saveNow(file: ShownFile): Promise<void> {
  const letGo = holdFile(file)
  const loaded = await load(file).finally(letGo)
  if (loaded.state === 'failed') return showNotice(loaded.problem)
  if (loaded.state !== 'here') return
  const url = URL.createObjectURL(new Blob([loaded.blob], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = nameToSave(file)
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
