// This module opens an encrypted message with its key, which a wallet has disclosed (docs/encryption.md, version 2). The sender
// has committed to the key, so no other key gives another text. The first version does not commit, and with it one ciphertext may
// be opened by two keys: so nothing is opened there.

import { createDecipheriv, createHmac } from 'node:crypto'
import { isEncrypted } from '@parley/sdk/contract/encryption.ts'
import type { Evidence } from '@parley/sdk/contract/reports.ts'
import { type AttachedFile, readFiles } from '@parley/sdk/files/attached.ts'

const scheme = 'parley-hpke-2'

/** The fields of a stored direct message. */
export interface StoredMessage {
  fromaddr: string
  toaddr: string
  message: string
  nftaddr: string | null
  nftid: string | null
  encrypted_sym_x_key: string | null
  x_access_conditions: string | null
}

/** Returns what a message says; undefined when the given key is not its key. */
export function disclose(
  item: StoredMessage,
  key: string | undefined,
): Pick<Evidence, 'proof' | 'message' | 'files'> | undefined {
  if (!isEncrypted(item)) return { proof: 'stored', message: item.message }
  if (schemeOf(item) !== scheme) return { proof: 'unproven' }
  if (key === undefined) return { proof: 'sealed' }
  const opened = open(item, Buffer.from(key, 'base64'))
  return opened && { proof: 'opened', ...opened }
}

function schemeOf({ x_access_conditions }: StoredMessage): unknown {
  try {
    return (JSON.parse(x_access_conditions ?? '') as { scheme?: unknown }).scheme
  } catch {
    return undefined
  }
}

/**
 * Opens a message. Its fields may hold anything: what does not fit does not open. Of its files it says what the sender has written,
 * with the key of each, and reads none of them.
 */
function open(item: StoredMessage, key: Buffer): Pick<Evidence, 'message' | 'files'> | undefined {
  try {
    const { v, cid, rev, from, commit } = JSON.parse(item.encrypted_sym_x_key ?? '') as {
      v: unknown
      cid: unknown
      rev: unknown
      from: { key: unknown }
      commit: unknown
    }
    if (v !== 2 || derive(key, 'commit').toString('base64url') !== commit) return undefined
    const { fromaddr, toaddr, nftaddr, nftid } = item
    const context = [scheme, fromaddr, toaddr, nftaddr ?? '', nftid ?? '', from.key, cid, rev]
    const sealed = Buffer.from(item.message, 'base64url')
    const cipher = createDecipheriv('aes-256-gcm', derive(key, 'key'), sealed.subarray(0, 12), {
      authTagLength: 16,
    })
    cipher.setAAD(Buffer.from(JSON.stringify(context)))
    cipher.setAuthTag(sealed.subarray(-16))
    const opened = Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()]).toString()
    const { t, body, files } = JSON.parse(opened) as { t: unknown; body: unknown; files: unknown }
    if (t !== 'text' || typeof body !== 'string') return undefined
    const attached = readFiles(files).files.map(shown)
    return { message: body, ...(attached.length > 0 && { files: attached }) }
  } catch {
    return undefined
  }
}

/** Operators open the file itself, so a report has no small picture of it. */
const shown = ({ id, key, hash, name, type, size, alt }: AttachedFile) => ({
  id,
  key,
  hash,
  name,
  type,
  size,
  ...(alt !== undefined && { alt }),
})

const derive = (key: Buffer, label: 'key' | 'commit') =>
  createHmac('sha256', key).update(`${scheme} ${label}`).digest()
