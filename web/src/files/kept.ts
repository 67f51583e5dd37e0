// Files that were loaded are in memory for a while, so that one that is scrolled away and back is not read again. Each has one
// object URL, which is released with it.

import { kindOf } from '@parley/sdk/files/kinds.ts'
import { useCallback, useEffect, useMemo } from 'react'
import { onAccountChange } from '../service/session.ts'
import { createStore, type Store, useStore } from '../state/store.ts'
import { FileProblem, loadFile } from './load.ts'
import type { ShownFile } from './shown.ts'

export type Loaded =
  | { state: 'none' }
  /** `part` is from 0 to 1. */
  | { state: 'loading'; part: number }
  | { state: 'here'; url: string; blob: Blob }
  | { state: 'failed'; problem: string; isLasting: boolean }

interface Kept {
  key: string
  shown: Store<Loaded>
  /** This number of parts of the page shows it. */
  users: number
  stop: AbortController | undefined
}

/** Files that no part of the page shows have this number of bytes at most. */
const most = 64_000_000

/** The one that was used last is at the end. */
const all = new Map<string, Kept>()

function keptOf(key: string): Kept {
  const kept = all.get(key) ?? {
    key,
    shown: createStore<Loaded>({ state: 'none' }),
    users: 0,
    stop: undefined,
  }
  all.set(key, kept)
  return kept
}

function release({ key, shown, stop }: Kept): void {
  all.delete(key)
  stop?.abort()
  const now = shown.get()
  if (now.state !== 'here') return
  shown.set({ state: 'none' })
  URL.revokeObjectURL(now.url)
}

// Another wallet must not see what this one has read.
onAccountChange(() => {
  for (const kept of all.values()) release(kept)
})

/** What is not whole is given up when nothing shows it, and of others the oldest ones. */
function releaseUnused(): void {
  let size = 0
  for (const kept of [...all.values()].toReversed()) {
    if (kept.users > 0) continue
    const now = kept.shown.get()
    size += now.state === 'here' ? now.blob.size : 0
    if (now.state !== 'here' || size > most) release(kept)
  }
}

function hold(kept: Kept): () => void {
  kept.users++
  all.delete(kept.key)
  all.set(kept.key, kept)
  return () => {
    kept.users--
    // Something else may show it now.
    setTimeout(releaseUnused, 1000)
  }
}

/** Returns the object URL of a file that is here. */
export function loadedUrl({ key }: ShownFile): string | undefined {
  const now = all.get(key)?.shown.get()
  return now?.state === 'here' ? now.url : undefined
}

/** Says that something uses a file, until the returned function is called. */
export const holdFile = ({ key }: ShownFile): (() => void) => hold(keptOf(key))

/** Loads a file unless that was done, and returns what is known of it then. It never throws. */
export async function load(file: ShownFile): Promise<Loaded> {
  const kept = keptOf(file.key)
  const { shown } = kept
  const before = shown.get()
  if (before.state === 'here') return before
  if (before.state === 'loading') return ended(shown)
  const { signal } = (kept.stop = new AbortController())
  shown.set({ state: 'loading', part: 0 })
  try {
    const blob = await loadFile(file, { signal, onProgress: (part) => shown.set({ state: 'loading', part }) })
    signal.throwIfAborted()
    shown.set({ state: 'here', url: URL.createObjectURL(blob), blob })
  } catch (error) {
    const { message, isLasting } = error instanceof FileProblem ? error : new FileProblem('', false)
    shown.set(signal.aborted ? { state: 'none' } : { state: 'failed', problem: message, isLasting })
  }
  return shown.get()
}

/** Keeps a file under the id with which it was stored, so that its sender does not read it again. */
export async function keepSent(
  id: string,
  file: Blob,
  { type, wave, width }: Pick<ShownFile, 'type' | 'wave' | 'width'>,
): Promise<void> {
  if (file.size > most || kindOf({ type, wave, width }) === 'file') return
  // Its record in this browser is deleted when its message is sent.
  const bytes = await file.arrayBuffer().catch(() => undefined)
  const { shown } = keptOf(id)
  if (!bytes || shown.get().state !== 'none') return
  const blob = new Blob([bytes], { type })
  shown.set({ state: 'here', url: URL.createObjectURL(blob), blob })
  releaseUnused()
}

/** Says what is wrong with a file that plays by ranges, or that it is tried again. */
export function setFailed({ key }: ShownFile, problem: FileProblem | undefined): void {
  const { shown } = keptOf(key)
  const { state } = shown.get()
  if (problem && state !== 'here')
    shown.set({ state: 'failed', problem: problem.message, isLasting: problem.isLasting })
  else if (!problem && state === 'failed') shown.set({ state: 'none' })
}

const ended = ({ get, subscribe }: Store<Loaded>): Promise<Loaded> =>
  new Promise((resolve) => {
    const stop = subscribe(() => {
      if (get().state === 'loading') return
      stop()
      resolve(get())
    })
  })

/** Returns what is known of a file, and what loads it. It is loaded by itself where `isWanted` is true. */
export function useLoaded(file: ShownFile, isWanted: boolean): [loaded: Loaded, load: () => void] {
  const { key } = file
  const kept = useMemo(() => keptOf(key), [key])
  useEffect(() => hold(kept), [kept])
  const loaded = useStore(kept.shown)
  const isNew = loaded.state === 'none'
  useEffect(() => {
    if (isWanted && isNew) void load(file)
  }, [file, isWanted, isNew])
  return [loaded, useCallback(() => void load(file), [file])]
}
