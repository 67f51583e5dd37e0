// What the changes of messages in a conversation need: the keys and ends with which they are encrypted, and what opens
// the earlier versions.

import type { ChatItem } from '@parley/sdk'
import { useCallback } from 'react'
import { newCid } from '../keys/crypto/bytes.ts'
import { filesOf } from '../keys/state/readable.ts'
import { openVersion } from '../keys/state/versions.ts'
import type { OpenVersions, SealChange, Sealing, ShownVersion } from '../thread/changes.ts'
import type { StoredMessage } from '../thread/merged.ts'
import { quotedOf } from './to-message.tsx'

/** Returns what encrypts changes of messages, and opens what stood before; `encrypt` is undefined where changes are sent in the clear. */
export function useSealing(items: ChatItem[], stored: StoredMessage[], encrypt: string | undefined): Sealing {
  const sealChange = useSealChange(items, stored, encrypt)
  const openVersions = useOpenVersions(items)
  return { sealChange, openVersions }
}

const useSealChange = (items: ChatItem[], stored: StoredMessage[], encrypt: string | undefined): SealChange =>
  useCallback(
    ({ id, version, replyTo }) => {
      if (!encrypt) return {}
      // One that is not sent yet is encrypted as a whole.
      if (id === 0) return { encrypt, ...quotedOf(stored, replyTo) }
      const item = items.find((one) => one.id === id)
      // Without its message it is not sent.
      if (!item) return { encrypt }
      const { fromaddr, toaddr, nftaddr, nftid } = item
      const of = { fromaddr, toaddr, nftaddr, nftid }
      const files = filesOf(item)
      const kept = files.length > 0 && { files }
      if (version) return { encrypt, of, version: { ...version, rev: version.rev + 1 }, ...kept }
      // A message in the clear becomes an encrypted one, which says what it replies to.
      return { encrypt, of, version: { cid: newCid(), rev: 0 }, ...quotedOf(stored, replyTo) }
    },
    [items, stored, encrypt],
  )

/** Returns what opens the earlier versions of a message: those that are of it, in the order in which they were written. */
const useOpenVersions = (items: ChatItem[]): OpenVersions =>
  useCallback(
    async ({ id, lock, version: present }, versions) => {
      const item = items.find((one) => one.id === id)
      const shown: (ShownVersion | undefined)[] = []
      let last = -1
      for (const version of versions) {
        const { text, content } = (item && (await openVersion(item, version))) ?? {}
        const isNext =
          !content ||
          (present?.cid === content.cid && content.rev > last && content.rev < present.rev) ||
          present === undefined
        last = content?.rev ?? last
        const isClear = lock === 'closed' && !content
        shown.push(text !== undefined && isNext ? { text, isClear } : undefined)
      }
      return shown
    },
    [items],
  )
