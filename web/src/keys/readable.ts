// The texts of encrypted messages. Each is decrypted when it is first shown, and kept in memory
// only.

import { useCallback } from 'react'
import { type KeyPair, scheme, type Sealed } from './scheme.ts'
import { createStore, useStore } from '../ui/store.ts'
import { keyring } from './keyring.ts'
import { isKeyOf } from './proof.ts'

export interface Readable {
  text: string
  lock: 'closed' | 'broken' | undefined
}

const texts = new Map<string, Readable>()
/** Counts the changes of `texts`. */
const version = createStore(0)

keyring.subscribe(() => {
  texts.clear()
  changed()
})

/** A function that answers the text of a message; a placeholder until it is decrypted. */
export function useReadable(): (item: Sealed) => Readable {
  const current = useStore(version)
  // A new function after each change, so that React computes again what depends on texts.
  return useCallback((item: Sealed) => readAt(current, item), [current])
}

const readAt = (_version: number, item: Sealed) => read(item)

function read(item: Sealed): Readable {
  const used = schemeOf(item)
  if (used === 'none') return { text: item.message, lock: undefined }
  if (used === 'other') return { text: 'Encrypted by another app', lock: 'broken' }
  const ring = keyring.get()
  if (ring.state === 'unknown') return { text: '…', lock: undefined }
  if (ring.state !== 'open')
    return { text: 'Encrypted. Unlock your messages on this device to read it.', lock: 'broken' }
  const known = texts.get(item.message)
  if (known) return known
  const waiting: Readable = { text: '…', lock: undefined }
  texts.set(item.message, waiting)
  decrypt(item, ring.pair).then(
    (text) => remember(item.message, { text, lock: 'closed' }),
    (error: Error) =>
      remember(item.message, {
        text: /key of yours|not proven/.test(error.message)
          ? error.message
          : 'This message cannot be decrypted.',
        lock: 'broken',
      }),
  )
  return waiting
}

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

/** Keeps the text of an encrypted message, such as one that was written here. */
export function remember(encrypted: string, readable: Readable): void {
  texts.set(encrypted, readable)
  changed()
}

let soon: ReturnType<typeof setTimeout> | undefined

/** Several texts at once are one change. */
function changed(): void {
  soon ??= setTimeout(() => {
    soon = undefined
    version.set(version.get() + 1)
  }, 0)
}
