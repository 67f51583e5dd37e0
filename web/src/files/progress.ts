// How far the upload of a file is, and what its writer does with it.

import { client } from '../service/api.ts'
import { createStore, useStore } from '../state/store.ts'
import { change, type Entry, entryOf, isMessage, type MessageEntry, outbox } from '../thread/entries.ts'
import { discard, pause } from '../thread/outbox.ts'
import { unprepared } from '../thread/rewriting.ts'
import type { Upload } from '../thread/uploads.ts'
import { textOfFiles } from './text.ts'
import { sweepWaiting } from './waiting-files.ts'

interface Progress {
  state: 'preparing' | 'uploading' | 'waiting' | 'paused' | 'failed'
  /** This part of its bytes is stored: 0 to 1. */
  part: number
}

/** This tab prepares these now: it reads them, and computes what they are when encrypted. */
const preparing = createStore<ReadonlySet<string>>(new Set())

export function setPreparing(key: string, isSo: boolean): void {
  const keys = new Set(preparing.get())
  if (isSo) keys.add(key)
  else keys.delete(key)
  preparing.set(keys)
}

const entryIn = (entries: Entry[], key: string) =>
  entries.find(({ uploads }) => uploads?.some((one) => one.key === key))

/** Returns how far a file is that waits to be sent; undefined where it does not wait. */
export function useProgress(key: string): Progress | undefined {
  const entry = entryIn(useStore(outbox), key)
  const isPreparing = useStore(preparing).has(key)
  if (!entry) return undefined
  return { state: stateOf(entry, isPreparing), part: partOf(entry.uploads!.find((one) => one.key === key)!) }
}

function stateOf({ paused, state, code }: Entry, isPreparing: boolean): Progress['state'] {
  if (paused) return 'paused'
  if (state === 'failed') return code === 'behind' ? 'waiting' : 'failed'
  if (state === 'waiting') return 'waiting'
  return isPreparing ? 'preparing' : 'uploading'
}

const partOf = ({ made }: Upload): number =>
  made?.isWhole ? 1 : made ? made.stored / Math.max(1, made.size) : 0

/** Pauses the message of a file: what is stored of it stays for a day. */
export function pauseUpload(key: string): void {
  const entry = entryIn(outbox.get(), key)
  if (entry && !entry.prepared) pause(entry.id, true)
}

export function resumeUpload(key: string): void {
  const entry = entryIn(outbox.get(), key)
  if (entry) pause(entry.id, false)
}

/** Takes a file out of its message. The message is deleted with the last one. */
export function cancelUpload(key: string): void {
  const found = entryIn(outbox.get(), key)
  const entry = found && entryOf(found.id)
  const upload = entry?.uploads?.find((one) => one.key === key)
  // While a message is sent, the service may have it already.
  if (!entry || !upload || (entry.prepared && entry.state !== 'failed')) return
  if (upload.made) void client.deleteFile({ file: upload.made.id }).catch(() => {})
  if (entry.uploads!.length === 1) return discard(entry.id)
  change(entry.id, (one) => (isMessage(one) ? without(unprepared(one), key) : one))
  void sweepWaiting()
}

function without(entry: MessageEntry, key: string): Entry {
  const before = entry.uploads ?? []
  const uploads = before.filter((one) => one.key !== key)
  const namesOf = (all: Upload[]) => textOfFiles(all.map(({ name }) => name))
  if (entry.text !== namesOf(before)) return { ...entry, uploads }
  const text = namesOf(uploads)
  return { ...entry, uploads, text, body: { ...entry.body, message: text } } as Entry
}
