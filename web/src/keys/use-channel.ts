import type { ChatItem } from '@parley/sdk'
import type { SendAs } from '../ui/composer-channel.ts'
import { type Channel, channelOf } from './channel.ts'
import { type KeyPairOfTwo, keysOfTwo } from './compared.ts'
import { isSwitchedOff, useKeyring } from './keyring.ts'
import { type PeerKey, usePeerKey } from './peer.ts'

interface Now {
  channel: Channel
  peerKey: PeerKey
  /** What the safety number is made of. */
  keys: KeyPairOfTwo | undefined
  /** The key to encrypt a message with; undefined when it goes out in the clear. */
  keyFor: (as: SendAs | undefined) => string | undefined
}

/** What happens to a message to a peer, of whose conversation some messages are known. */
export function useChannel(peer: string, items: ChatItem[]): Now {
  const ring = useKeyring()
  const peerKey = usePeerKey(peer)
  const channel = channelOf({
    ring,
    peer: peerKey,
    switchedOff: isSwitchedOff(),
    wasSealed: items.some(
      (item) => item.encrypted_sym_x_key !== undefined && item.encrypted_sym_x_key !== '',
    ),
  })
  return {
    channel,
    peerKey,
    keys: keysOfTwo(ring, peerKey),
    keyFor: (as) =>
      as === 'known' ? peerKey.known?.key : channel.kind === 'sealed' ? channel.key : undefined,
  }
}
