import type { Config } from '../config/settings.ts'
import { OutsideError } from './allowed.ts'
import { callOutside, type Network } from './call.ts'

export interface Bounds {
  /** Bytes of an answer. */
  maxBytes: number
  /** Seconds for all of it. */
  seconds: number
  /** The media types that are asked for. */
  accept?: string
}

/**
 * Gets the bytes at an address that others have chosen. Throws an OutsideError when the address is
 * not allowed, when the answer is no 200, too large or too late.
 */
export async function fetchOutside(
  { privateFetchHosts }: Pick<Config, 'privateFetchHosts'>,
  address: string,
  { maxBytes, seconds, accept = '*/*' }: Bounds,
  network?: Network,
): Promise<Buffer> {
  const { status, body } = await callOutside(
    { ownHosts: privateFetchHosts },
    address,
    { headers: { accept }, maxBytes, seconds },
    network,
  )
  if (status !== 200) throw new OutsideError(`it answers ${status}`)
  return body
}
