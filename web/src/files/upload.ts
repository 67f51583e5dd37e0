// Uploads the files of a message before it is sent: in the tab that has the turn, file by file and part by part. What is
// stored of a file is in the record of its message, so an upload continues after a reload, and in another tab.

import { ApiError, newIdempotencyKey } from '@parley/sdk'
import type { FileState } from '@parley/sdk/contract/files.ts'
import { putParts } from '@parley/sdk/upload.ts'
import { client } from '../service/api.ts'
import { change, type Entry, entryOf, type MessageEntry, outbox } from '../thread/entries.ts'
import type { Upload } from '../thread/uploads.ts'
import { attachedFiles } from './attached.ts'
import { type Content, contentOf } from './content.ts'
import { keepSent } from './kept.ts'
import { setPreparing } from './progress.ts'
import { readWaiting } from './waiting-files.ts'

/** Uploads the files of a message, and returns it with their ids; undefined when its writer has paused or deleted it. */
export async function uploadFiles({ id }: Entry, signal: AbortSignal): Promise<MessageEntry | undefined> {
  for (;;) {
    signal.throwIfAborted()
    const entry = entryOf(id) as MessageEntry | undefined
    if (!entry?.uploads || entry.paused) return undefined
    const next = entry.uploads.find((one) => !one.made?.isWhole || one.made.isSealed !== isSealed(entry))
    if (!next) return withFiles(entry, entry.uploads)
    const until = untilStopped(id, next.key, signal)
    try {
      await uploadOne(entry, next, until.signal)
    } catch (error) {
      if (signal.aborted || !until.signal.aborted) throw error
    } finally {
      until.end()
    }
  }
}

const isSealed = ({ encrypt }: Entry): boolean => encrypt !== undefined

/** Returns a signal that is aborted with another one, and when a file need not be uploaded now: in this tab or another. */
function untilStopped(id: string, key: string, signal: AbortSignal) {
  const stop = new AbortController()
  const abort = () => stop.abort()
  const ends = outbox.subscribe(() => {
    const entry = outbox.get().find((one) => one.id === id)
    if (!entry || entry.paused || !entry.uploads?.some((one) => one.key === key)) abort()
  })
  signal.addEventListener('abort', abort)
  const end = () => {
    ends()
    signal.removeEventListener('abort', abort)
  }
  return { signal: stop.signal, end }
}

/** Returns a message whose files are stored, with their ids; an encrypted one says what they are. */
async function withFiles(entry: MessageEntry, uploads: Upload[]): Promise<MessageEntry> {
  const body = { ...entry.body, files: uploads.map(({ made }) => made!.id) }
  const files = isSealed(entry) ? await attachedFiles(entry.text, uploads) : undefined
  return { ...entry, body, ...(files && { files }) } as MessageEntry
}

async function uploadOne(entry: MessageEntry, upload: Upload, signal: AbortSignal): Promise<void> {
  const { key } = upload
  try {
    setPreparing(key, true)
    const file = await readWaiting(key)
    if (!file) throw notHere(upload)
    const content = await contentOf(file, upload, isSealed(entry))
    signal.throwIfAborted()
    const begun = await begin(entry, upload, content, signal)
    setPreparing(key, false)
    remember(entry.id, key, begun, content)
    for await (const state of putParts(client, begun, content.read, { signal }))
      remember(entry.id, key, state, content)
    await keepSent(begun.id, file, upload)
  } catch (error) {
    if (!isLost(error) || entry.again) throw error
    // It begins once more.
    changeUpload(entry.id, key, ({ made: _made, ...one }) => ({ ...one, request: newIdempotencyKey() }))
    change(entry.id, (one) => ({ ...one, again: true }))
  } finally {
    setPreparing(key, false)
  }
}

const notHere = ({ name }: Upload) =>
  new ApiError('conflict', `This browser no longer has ${name}. Delete the message, and send it again.`)

/** The service has the file no longer, or has deleted it because its bytes were not those that were announced. */
const isLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'bad_request')

/** Begins an upload, or returns how much is stored of one that has begun. */
async function begin(
  { body }: MessageEntry,
  { name, width, height, duration, wave, thumbhash, alt, request, made }: Upload,
  { size, sha256, isSealed: sealed }: Content,
  signal: AbortSignal,
): Promise<FileState> {
  if (made?.isSealed === sealed) return (await client.getFileState({ file: made.id }, { signal }))[0]!
  if (made) void client.deleteFile({ file: made.id }).catch(() => {})
  const place = 'toaddr' in body ? { toaddr: body.toaddr } : { nftaddr: body.nftaddr }
  const about = { name, width, height, duration, wave, thumbhash, alt }
  const known = Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined))
  const [state] = await client.createFile(
    { body: { ...place, size, sha256, ...(sealed ? { sealed } : known) } },
    // A file in the clear that is to be encrypted now is another one.
    { idempotencyKey: made ? newIdempotencyKey() : request, signal },
  )
  return state!
}

function remember(id: string, key: string, { id: file, offset, size }: FileState, content: Content): void {
  const { isSealed: sealed, opens } = content
  const isWhole = offset >= size
  changeUpload(id, key, (one) => ({
    ...one,
    made: {
      id: file,
      isSealed: sealed,
      stored: offset,
      size,
      ...(isWhole && { isWhole }),
      ...(opens && { opens }),
    },
  }))
}

const changeUpload = (id: string, key: string, to: (upload: Upload) => Upload) =>
  change(id, ({ uploads = [], ...entry }) => ({
    ...entry,
    uploads: uploads.map((one) => (one.key === key ? to(one) : one)),
  }))
