import { serviceHost } from '../keys/host.ts'
import { getAddress } from '../names/checksum.ts'
import { isEvmAddress } from '../ui/address.ts'

/** An address with its checksum (EIP-55), by which a mistake in it is found. */
export const withChecksum = (address: string): string =>
  isEvmAddress(address) ? getAddress(address) : address

/**
 * The link at which anybody can write to a wallet. It has the address and not the name, which may
 * belong to another wallet one day.
 */
export const linkTo = (address: string): string =>
  `${location.protocol}//${serviceHost}/dm/${encodeURIComponent(withChecksum(address))}`
