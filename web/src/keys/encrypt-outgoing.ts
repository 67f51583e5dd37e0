import { ApiError } from '@parley/sdk'
import { cache, query } from '../service/api.ts'
import type { Entry } from '../thread/entries.ts'
import { fromBase64 } from './bytes.ts'
import { keyring } from './keyring.ts'
import { isKeyOf } from './proof.ts'
import { rememberWritten } from './readable.ts'

/**
 * Encrypts a message for which the page showed that it will be encrypted. Where that is no longer
 * possible it is not sent.
 */
export async function encryptOutgoing(entry: Entry): Promise<Entry> {
  if (entry.endpoint !== 'sendDirectMessage' || !entry.encrypt) return entry
  const ring = keyring.get()
  if (ring.state !== 'open') throw refusal('Your encryption key is locked on this device.')
  const [peer] = await cache.fetchQuery({
    ...query('getKey', { address: entry.body.toaddr }),
    staleTime: 60_000,
  })
  if (!peer?.public_key || peer.public_key !== entry.encrypt)
    throw refusal('The recipient’s encryption key has changed. Write it again.')
  if (!(await isKeyOf(peer.address, { key: peer.public_key, sig: peer.signature })))
    throw refusal('The recipient’s encryption key is not signed by that wallet.')
  const { seal } = await import('./envelope.ts')
  const body = await seal(entry.body, ring.pair, ring.signed, fromBase64(peer.public_key))
  rememberWritten(body, entry.text)
  return { ...entry, body }
}

/** An error that is not tried again. */
const refusal = (text: string) => new ApiError('conflict', text)
