// The files that a message will have, until it is sent. They are in the memory of this tab, so a reload drops them.

import { createStore, useStore } from '../state/store.ts'
import type { DraftFile } from './draft-file.ts'
import type * as Parts from './prepare.ts'

/** A draft of a text has the same key. */
const drafts = createStore<ReadonlyMap<string, DraftFile[]>>(new Map())
const none: DraftFile[] = []

export const draftFiles = (key: string): DraftFile[] => drafts.get().get(key) ?? none

export const useDraftFiles = (key: string): DraftFile[] => useStore(drafts).get(key) ?? none

function setDraftFiles(key: string, files: DraftFile[]): void {
  const all = new Map(drafts.get())
  if (files.length > 0) all.set(key, files)
  else all.delete(key)
  drafts.set(all)
}

const compressing = 'parley.compress-pictures'
const isCompressing = createStore(localStorage.getItem(compressing) !== 'off')
export const useCompressing = (): boolean => useStore(isCompressing)

/** Adds files to the draft of a message: up to a limit. Returns how many were left out. */
export function addDraftFiles(key: string, given: File[], most: number): number {
  const before = draftFiles(key)
  const added = given.slice(0, most - before.length).map((file): DraftFile => {
    count += 1
    return { id: String(count), given: file, prepared: undefined, alt: '' }
  })
  setDraftFiles(key, [...before, ...added])
  for (const file of added) void prepare(key, file)
  return given.length - added.length
}
let count = 0

/** Adds a voice note. */
export function addRecorded(key: string, given: File, prepared: DraftFile['prepared']): void {
  count += 1
  setDraftFiles(key, [...draftFiles(key), { id: String(count), given, prepared, alt: '' }])
}

export const removeDraftFile = (key: string, id: string): void =>
  setDraftFiles(
    key,
    draftFiles(key).filter((one) => one.id !== id),
  )

export const clearDraftFiles = (key: string): void => setDraftFiles(key, none)

/** Deletes the files of all drafts whose key begins so. */
export function forgetDraftFiles(prefix: string): void {
  for (const key of drafts.get().keys()) if (key.startsWith(prefix)) clearDraftFiles(key)
}

/** A description has at most this number of bytes. */
const mostAltBytes = 1000

/** Sets what a file shows, for somebody who cannot see it. */
export function describe(key: string, id: string, alt: string): void {
  if (new TextEncoder().encode(alt).length <= mostAltBytes) changeDraft(key, id, { alt })
}

/** Moves a file of a draft by a number of places. */
export function moveDraftFile(key: string, id: string, by: number): void {
  const files = [...draftFiles(key)]
  const from = files.findIndex((one) => one.id === id)
  const [file] = files.splice(from, 1)
  files.splice(Math.max(0, from + by), 0, file!)
  setDraftFiles(key, files)
}

/** Chooses whether pictures are made smaller, also those that are chosen already. */
export function setCompressing(on: boolean): void {
  if (on) localStorage.removeItem(compressing)
  else localStorage.setItem(compressing, 'off')
  isCompressing.set(on)
  for (const [key, files] of drafts.get())
    for (const file of files.filter(({ prepared }) => !prepared || prepared.data === 'drawn')) {
      changeDraft(key, file.id, { prepared: undefined })
      void prepare(key, file)
    }
}

function changeDraft(key: string, id: string, changed: Partial<DraftFile>): void {
  const files = [...draftFiles(key)]
  const at = files.findIndex((one) => one.id === id)
  const file = files[at]
  if (!file) return
  files[at] = { ...file, ...changed }
  setDraftFiles(key, files)
}

async function prepare(key: string, { id, given }: DraftFile): Promise<void> {
  const isCompressed = isCompressing.get()
  const { prepareDraft } = await loadParts()
  const prepared = await prepareDraft(given, isCompressed)
  if (isCompressed === isCompressing.get()) changeDraft(key, id, { prepared })
}

/** What prepares and sends files loads with the first one. */
async function loadParts(): Promise<typeof Parts> {
  try {
    return await import('./prepare.ts')
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    return loadParts()
  }
}
