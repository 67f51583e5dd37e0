import type { Client } from './client.ts'
import { ApiError } from './contract/errors.ts'
import type { FileState, NewFile } from './contract/files.ts'
import { paceBetween } from './pace.ts'
import type { RetryOptions } from './retry.ts'

/** The conversation or the chat for which a file is uploaded. */
export type FilePlace = { toaddr: string } | { nftaddr: string }

/** What is said of a file beside its bytes. */
type About = Omit<NewFile, 'toaddr' | 'nftaddr' | 'size' | 'sha256'>

export interface UploadOptions extends About {
  /** The id of a file whose upload broke off, with the same bytes: it continues where it was. */
  resume?: string
  /** Is called when the service has made the file: store its id to resume after a restart. */
  onBegin?: (file: FileState) => void
  /** Is called after each part, and before the first one. */
  onProgress?: (stored: number, size: number) => void
  signal?: AbortSignal
  /** Replaces the `retry` of the client for each part. */
  retry?: false | RetryOptions
}

/**
 * Uploads a file in parts for one conversation or chat: small ones on a slow line, so that `onProgress` is called often. Name the result's `id` in `files` of a message there. A part whose
 * answer was lost counts once. Throws what the methods throw, and the reason of an aborted signal.
 * @example
 * const { id } = await uploadFile(parley, { toaddr: you }, blob, { name: 'garden.png', onProgress: show })
 * await parley.sendDirectMessage({ body: { fromaddr: me, toaddr: you, message: 'garden.png', files: [id] } })
 */
export async function uploadFile(
  client: Pick<Client, 'createFile' | 'putFilePart' | 'getFileState'>,
  place: FilePlace,
  blob: Blob,
  { resume, onBegin, onProgress, signal, retry, ...about }: UploadOptions = {},
): Promise<FileState> {
  const options = { ...(signal && { signal }), ...(retry !== undefined && { retry }) }
  let file: FileState
  if (resume === undefined) {
    const sha256 = await hashOf(blob)
    file = (await client.createFile({ body: { ...place, ...about, size: blob.size, sha256 } }, options))[0]!
    onBegin?.(file)
  } else file = (await client.getFileState({ file: resume }, options))[0]!
  onProgress?.(file.offset, file.size)
  for await (file of putParts(client, file, (start, end) => blob.slice(start, end), options))
    onProgress?.(file.offset, file.size)
  return file
}

type PartOptions = Pick<UploadOptions, 'signal' | 'retry'>

/** Uploads what is left of a file, and yields its state after each part. A part has as many bytes as take about one to four seconds. */
export async function* putParts(
  client: Pick<Client, 'putFilePart'>,
  begun: FileState,
  read: (start: number, end: number) => Blob | Promise<Blob>,
  options: PartOptions,
): AsyncGenerator<FileState, void, void> {
  const pace = paceBetween(begun.least_part, begun.part)
  for (let file = begun; file.offset < file.size;) {
    options.signal?.throwIfAborted()
    const body = await read(file.offset, Math.min(file.offset + pace.bytes, file.size))
    const at = performance.now()
    file = await putPart(client, file, body, options)
    pace.took(body.size, performance.now() - at)
    yield file
  }
}

/** Uploads the next part of a file, and returns the file. A part whose answer was lost is stored already: it counts once. */
async function putPart(
  client: Pick<Client, 'putFilePart'>,
  { id, offset }: FileState,
  body: Blob,
  options: PartOptions,
): Promise<FileState> {
  try {
    const [stored] = await client.putFilePart({ file: id, query: { offset }, body }, options)
    return stored!
  } catch (error) {
    // The service answers with the state, where an earlier attempt has stored the part.
    const current =
      error instanceof ApiError && error.code === 'conflict'
        ? (error.current as FileState | undefined)
        : undefined
    if (current === undefined || current.offset <= offset) throw error
    return current
  }
}

async function hashOf(blob: Blob): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
