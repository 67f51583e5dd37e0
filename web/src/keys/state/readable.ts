// This file has the texts of encrypted messages. Each is decrypted when it is first shown, and stored in memory only.

import type { AttachedFile } from '@parley/sdk/files/attached.ts'
import { useCallback } from 'react'
import {
  CannotOpen,
  type Content,
  type KeyPair,
  MissingKey,
  schemeOf,
  type Sealed,
} from '../crypto/scheme.ts'
import { currentAccount } from '../../service/session.ts'
import { createStore, useStore } from '../../state/store.ts'
import { isOutdated, noteOpened, onHighestRead } from './highest.ts'
import { keyring, onOtherKeys } from './keyring.ts'
import { isKeyOf, isVouchedSender } from './proof.ts'

export interface Readable {
  text: string
  /** This is its content, once it was opened. */
  content?: Content
  lock: 'closed' | 'broken' | undefined
  /** The service alone says that its sender, a smart wallet, has signed the key that it was encrypted with. */
  isVouched?: boolean
  /** This is true for a copy of an earlier message. */
  repeated?: boolean
  /** This browser has opened a later version of it. */
  isOutdated?: boolean
  /** The message was written at this time, when the service shows another one. */
  writtenAt?: string | undefined
}

/** A row is a message as the service shows it. */
type Row = Sealed & { id: number; timestamp: string; edited_at?: string }

/**
 * The time of a message may differ by this number of milliseconds, through clocks or delays, before the page shows it.
 */
const usualDelay = 15 * 60_000

type Opened = Content | { broken: string } | 'waiting'

/** The key is all that the service shows of a message and that decides whether it opens; the value is its content. */
const rows = new Map<string, Opened>()
/** This maps a message that was written here to its content, until its row is first shown. */
const written = new Map<string, Content>()
/**
 * This maps a message's own id to the lowest row id at which it was opened. Opening proves its sender and its
 * conversation, so the same message at a higher id is a copy. Only what this page has opened is noticed; a copy of
 * anything else shows when it was written.
 */
const firstIds = new Map<string, number>()
/** Counts the changes of `rows`. */
const version = createStore(0)

onOtherKeys(() => {
  rows.clear()
  written.clear()
  changed()
})

onHighestRead(changed)

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

/** Returns a function that returns the text of a message; a placeholder until it is decrypted. */
export function useReadable(): (item: Row) => Readable {
  const current = useStore(version)
  // The function is new after each change, so that React computes again what depends on texts.
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
    return { text: 'Encrypted. See Settings → Encryption for why you can’t read it here.', lock: 'broken' }
  return shown(item, openedOf(item, ring.pairs))
}

/** Returns the files of an encrypted message that was opened here. */
export function filesOf(item: Row): AttachedFile[] {
  const opened = rows.get(rowOf(item))
  return typeof opened === 'object' && 'files' in opened ? opened.files : []
}

const rowOf = (item: Row): string => `${item.id} ${contentOf(item)}`

/** Returns the content of a message; the first call starts its decryption. */
function openedOf(item: Row, pairs: KeyPair[]): Opened {
  const content = contentOf(item)
  const row = rowOf(item)
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
  noteOpened(content.id, content.rev)
  return content
}

function shown(item: Row, opened: Opened): Readable {
  const { id, timestamp, edited_at } = item
  if (opened === 'waiting') return { text: '…', lock: undefined }
  if ('broken' in opened) return { text: opened.broken, lock: 'broken' }
  const { text, at, rev } = opened
  const shownAt = rev > 0 ? (edited_at ?? timestamp) : timestamp
  const isOdd = Math.abs(at - Date.parse(shownAt)) > usualDelay
  return {
    text,
    content: opened,
    lock: 'closed',
    isVouched: item.fromaddr !== currentAccount()?.address && isVouchedSender(item),
    repeated: firstIds.get(opened.id)! < id,
    isOutdated: isOutdated(opened.id, rev),
    writtenAt: isOdd ? new Date(at).toISOString() : undefined,
  }
}

function explain(error: unknown): string {
  if (error instanceof MissingKey)
    return keyring.get().state === 'locked'
      ? 'Encrypted. Unlock your messages on this device to read this.'
      : 'Encrypted for an older key of yours. Unlock it in Settings → Encryption.'
  const reason = 'it was changed, or written for another conversation.'
  return (error instanceof CannotOpen ? error : new CannotOpen(reason)).message
}

/** Opens a message with these keys, or throws. */
export async function decrypt(item: Sealed, pairs: KeyPair[]): Promise<Content> {
  const { open } = await import('../crypto/envelope.ts')
  return open(item, pairs, isKeyOf)
}

/** Remembers the content of a message that was encrypted here, so that it is shown at once. */
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
