// Earlier versions of a message, which the service stores. They are opened on this device, as the present one is.

import type { ChatItem } from '@parley/sdk'
import type { MessageVersion } from '@parley/sdk/contract/message-edits.ts'
import { type Content, schemeOf } from '../crypto/scheme.ts'
import { keyring } from './keyring.ts'
import { isKeyOf } from './proof.ts'

/** A version in the clear has no content beside its text. */
export interface Opened {
  text: string
  content?: Content
}

/** Opens a version of a message; returns undefined when it cannot be opened here. */
export async function openVersion(item: ChatItem, version: MessageVersion): Promise<Opened | undefined> {
  const { message, encrypted_sym_x_key, x_access_conditions } = version
  const { fromaddr, toaddr, nftaddr, nftid } = item
  const sealed = { fromaddr, toaddr, nftaddr, nftid, message, encrypted_sym_x_key, x_access_conditions }
  if (schemeOf(sealed) === 'none') return { text: message }
  const ring = keyring.get()
  if (!('pairs' in ring)) return undefined
  try {
    const { open } = await import('../crypto/envelope.ts')
    const content = await open(sealed, ring.pairs, isKeyOf)
    return { text: content.text, content }
  } catch {
    return undefined
  }
}
