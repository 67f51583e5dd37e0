// The texts of encrypted messages. Each is decrypted when it is first shown, and kept in memory
// only.

import { useCallback } from 'react'
import { CannotOpen, type Content, type KeyPair, MissingKey, schemeOf, type Sealed } from './scheme.ts'
import { createStore, useStore } from '../ui/store.ts'
import { toBase64 } from './bytes.ts'
import { keyring } from './keyring.ts'
import { isKeyOf } from './proof.ts'

export interface Readable {
  text: string
  lock: 'closed' | 'broken' | undefined
  /** Whether it is a copy of an earlier message. */
  repeated?: boolean
  /** When it was written, where the service shows another time. */
  writtenAt?: string | undefined
}

/** A message as the service shows it. */
type Row = Sealed & { id: number; timestamp: string }

/** Milliseconds by which clocks may differ, and a message may be under way, before that is told. */
const usualDelay = 15 * 60_000

type Opened = Content | { broken: string } | 'waiting'

/** What messages say, by all that the service shows of them and that decides whether they open. */
const rows = new Map<string, Opened>()
/** What was written here, by its content, until its row is first shown. */
const written = new Map<string, Content>()
/**
 * The lowest row id at which a message was opened, by its own id. Opening proves its sender and its
 * conversation, so the same message at a higher id is a copy. Only what this page has opened is
 * noticed; a copy of anything else shows when it was written.
 */
const firstIds = new Map<string, number>()
/** Counts the changes of `rows`. */
const version = createStore(0)

let openKeys = ''
keyring.subscribe(() => {
  const ring = keyring.get()
  const now =
    'pairs' in ring
      ? `${ring.state} ${ring.address} ${ring.pairs.map(({ raw }) => toBase64(raw)).join(' ')}`
      : ring.state
  if (now === openKeys) return
  openKeys = now
  rows.clear()
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
  if (!('pairs' in ring))
    return { text: 'Encrypted. The settings say why it cannot be read here.', lock: 'broken' }
  return shown(item, openedOf(item, ring.pairs))
}

/** Answers what a message says; the first time it is asked for, decrypting begins. */
function openedOf(item: Row, pairs: KeyPair[]): Opened {
  const content = contentOf(item)
  const row = `${item.id} ${content}`
  const known = rows.get(row)
  if (known) return known
  const own = written.get(content)
  written.delete(content)
  if (own) return keep(row, item.id, own)
  rows.set(row, 'waiting')
  void decrypt(item, pairs)
    .then(
      (opened) => keep(row, item.id, opened),
      (error: unknown) => rows.set(row, { broken: explain(error) }),
    )
    .then(changed)
  return 'waiting'
}

function keep(row: string, rowId: number, content: Content): Content {
  rows.set(row, content)
  firstIds.set(content.id, Math.min(rowId, firstIds.get(content.id) ?? rowId))
  return content
}

function shown({ id, timestamp }: Row, opened: Opened): Readable {
  if (opened === 'waiting') return { text: '…', lock: undefined }
  if ('broken' in opened) return { text: opened.broken, lock: 'broken' }
  const { text, at } = opened
  const isOdd = at !== undefined && Math.abs(at - Date.parse(timestamp)) > usualDelay
  return {
    text,
    lock: 'closed',
    repeated: firstIds.get(opened.id)! < id,
    writtenAt: isOdd ? new Date(at).toISOString() : undefined,
  }
}

function explain(error: unknown): string {
  if (error instanceof MissingKey)
    return keyring.get().state === 'locked'
      ? 'Encrypted. Unlock your messages on this device to read it.'
      : 'Encrypted for an older key of yours. The settings say how it is opened.'
  const reason = 'it was changed, or it was not written for this conversation.'
  return (error instanceof CannotOpen ? error : new CannotOpen(reason)).message
}

async function decrypt(item: Sealed, pairs: KeyPair[]): Promise<Content> {
  const { open } = await import('./envelope.ts')
  return open(item, pairs, isKeyOf)
}

/** Keeps what a message says that was encrypted here, so that it is shown at once. */
export function rememberWritten(item: Sealed, content: Content): void {
  written.set(contentOf(item), content)
}

let soon: ReturnType<typeof setTimeout> | undefined

/** Several texts at once are one change. */
function changed(): void {
  soon ??= setTimeout(() => {
    soon = undefined
    version.set(version.get() + 1)
  }, 0)
}
