import { serviceHost } from '../keys/state/host.ts'
import { getAddress } from '../names/checksum.ts'
import { isEvmAddress } from '../seal/address.ts'

/** Returns an address with its checksum (EIP-55), which reveals typing mistakes. */
export const withChecksum = (address: string): string =>
  isEvmAddress(address) ? getAddress(address) : address

/** Returns the link to a page of this client, as others open it. */
export const linkAt = (path: string): string => `${location.protocol}//${serviceHost}${path}`

/**
 * Returns the link at which anybody can write to a wallet. It has the address and not the name, which may belong to
 * another wallet one day.
 */
export const linkTo = (address: string): string => linkAt(`/dm/${encodeURIComponent(withChecksum(address))}`)
