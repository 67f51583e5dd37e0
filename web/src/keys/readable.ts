// The texts of encrypted messages. Each is decrypted when it is first shown, and kept in memory
// only.

import { useCallback } from 'react'
import { CannotOpen, type KeyPair, scheme, type Sealed } from './scheme.ts'
import { createStore, useStore } from '../ui/store.ts'
import { keyring } from './keyring.ts'
import { isKeyOf } from './proof.ts'

export interface Readable {
  text: string
  lock: 'closed' | 'broken' | undefined
  /** Whether it is a copy of an earlier message: version 1 of the envelope does not bind an id. */
  repeated?: boolean
}

/** A message as the service shows it. */
type Row = Sealed & { id: number }

/** By all that the service shows of a message and that decides whether it can be opened. */
const texts = new Map<string, Readable>()
/** Texts that were written here, by their content, until their row is first shown. */
const written = new Map<string, string>()
/**
 * The lowest id at which a ciphertext was opened. Opening proves its sender and conversation, so
 * the same ciphertext at a higher id is a copy. Only what this page has opened is noticed.
 */
const firstIds = new Map<string, number>()
/** Counts the changes of `texts`. */
const version = createStore(0)

keyring.subscribe(() => {
  texts.clear()
  written.clear()
  changed()
})

const contentOf = (item: Sealed): string =>
  JSON.stringify([
    item.fromaddr,
    item.toaddr,
    item.nftaddr || '',
    item.nftid || '',
    item.message,
    item.encrypted_sym_x_key,
    item.x_access_conditions,
  ])

/** A function that answers the text of a message; a placeholder until it is decrypted. */
export function useReadable(): (item: Row) => Readable {
  const current = useStore(version)
  // A new function after each change, so that React computes again what depends on texts.
  return useCallback((item: Row) => readAt(current, item), [current])
}

const readAt = (_version: number, item: Row) => read(item)

function read(item: Row): Readable {
  const used = schemeOf(item)
  if (used === 'none') return { text: item.message, lock: undefined }
  if (used === 'other') return { text: 'Encrypted by another app', lock: 'broken' }
  const ring = keyring.get()
  if (ring.state === 'unknown') return { text: '…', lock: undefined }
  if (ring.state === 'locked')
    return { text: 'Encrypted. Unlock your messages on this device to read it.', lock: 'broken' }
  if (ring.state !== 'open')
    return { text: 'Encrypted. The settings say why it cannot be read here.', lock: 'broken' }
  const content = contentOf(item)
  const row = `${item.id} ${content}`
  const known = texts.get(row)
  if (known) return known.lock === 'closed' ? { ...known, repeated: isCopy(item) } : known
  const own = written.get(content)
  if (own !== undefined) {
    written.delete(content)
    return opened(row, item, own)
  }
  const waiting: Readable = { text: '…', lock: undefined }
  texts.set(row, waiting)
  void decrypt(item, ring.pair)
    .then(
      (text) => opened(row, item, text),
      (error: unknown) => texts.set(row, { text: explain(error), lock: 'broken' }),
    )
    .then(changed)
  return waiting
}

function opened(row: string, { id, message }: Row, text: string): Readable {
  const readable: Readable = { text, lock: 'closed' }
  texts.set(row, readable)
  firstIds.set(message, Math.min(id, firstIds.get(message) ?? id))
  return readable
}

const isCopy = ({ id, message }: Row): boolean => firstIds.get(message)! < id

const explain = (error: unknown): string =>
  (error instanceof CannotOpen
    ? error
    : new CannotOpen('it was changed, or it was not written for this conversation.')
  ).message

/** Whether a message was encrypted by this client's scheme, by another one, or not at all. */
function schemeOf({ encrypted_sym_x_key, x_access_conditions }: Sealed): 'own' | 'other' | 'none' {
  if (!encrypted_sym_x_key && !x_access_conditions) return 'none'
  try {
    return (JSON.parse(x_access_conditions ?? '') as { scheme?: unknown }).scheme === scheme ? 'own' : 'other'
  } catch {
    return 'other'
  }
}

async function decrypt(item: Sealed, pair: KeyPair): Promise<string> {
  const { open } = await import('./envelope.ts')
  return open(item, pair, isKeyOf)
}

/** Keeps the text of a message that was encrypted here, so that it is shown at once. */
export function rememberWritten(item: Sealed, text: string): void {
  written.set(contentOf(item), text)
}

let soon: ReturnType<typeof setTimeout> | undefined

/** Several texts at once are one change. */
function changed(): void {
  soon ??= setTimeout(() => {
    soon = undefined
    version.set(version.get() + 1)
  }, 0)
}
