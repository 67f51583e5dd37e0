import type { Config } from '../config/settings.ts'
import { OutsideError } from './allowed.ts'
import { callOutside, type Network } from './call.ts'

export interface Bounds {
  /** Limits the bytes of a response. */
  maxBytes: number
  /** Limits the seconds for all of it. */
  seconds: number
  /** These media types are requested. */
  accept?: string
  /** At most this many redirects are followed; none by default. */
  redirects?: number
}

/** This has the fetched bytes, and the final address. */
export interface Fetched {
  body: Buffer
  url: string
}

/**
 * Fetches the bytes at an address that other people have chosen. Throws an OutsideError when the address is not allowed, or when
 * the response is no 200, too large or too late.
 */
export const fetchOutside = async (
  config: Pick<Config, 'privateFetchHosts'>,
  address: string,
  bounds: Bounds,
  network?: Network,
): Promise<Buffer> => (await followOutside(config, address, bounds, network)).body

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Does the same and returns the final address after redirects. Each hop is checked like the first one, and leads to no address
 * that was called before. The bytes and the seconds are those of all hops together.
 */
export async function followOutside(
  config: Pick<Config, 'privateFetchHosts'>,
  address: string,
  { maxBytes, seconds, accept = '*/*', redirects: most = 0 }: Bounds,
  network?: Network,
): Promise<Fetched> {
  const end = performance.now() + seconds * 1000
  const seen = new Set<string>()
  let [url, left] = [address, maxBytes]
  for (;;) {
    const rest = Math.ceil((end - performance.now()) / 100) / 10
    if (rest <= 0) throw new OutsideError(`it takes longer than ${seconds} s`)
    seen.add(url)
    const asking = { headers: { accept }, maxBytes: left, seconds: rest }
    const { status, headers, body } = await callOutside(
      { ownHosts: config.privateFetchHosts },
      url,
      asking,
      network,
    )
    if (status === 200) return { body, url }
    const next = redirects.has(status) && headers.location ? URL.parse(headers.location, url) : null
    if (!next || seen.size > most) throw new OutsideError(`it answers ${status}`)
    next.hash = ''
    if (seen.has(next.href)) throw new OutsideError('its redirects lead back')
    url = next.href
    left -= body.length
  }
}
