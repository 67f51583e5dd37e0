import type { ChatItem } from '@parley/sdk'
import type { SendAs } from '../../messages/message.ts'
import { type Channel, channelOf, type KeyPairOfTwo, keysOfTwo } from './channel.ts'
import { isSwitchedOff, useKeyring } from './keyring.ts'
import { type PeerKey, usePeerKey } from './peer.ts'

interface Now {
  channel: Channel
  peerKey: PeerKey
  /** The safety number is made of these. */
  keys: KeyPairOfTwo | undefined
  /** Returns the key to encrypt a message with; undefined when it is sent in the clear. */
  keyFor: (as: SendAs | undefined) => string | undefined
}

/** Returns the channel of a message to a peer, of whose conversation some messages are known. */
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
