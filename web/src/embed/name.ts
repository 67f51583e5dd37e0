import type { Parley } from '@parley/react'
import { createClientOf } from '@parley/sdk'
import { names } from '@parley/sdk/slices'
import { useEffect, useState } from 'react'
import { shortAddress } from '../seal/address.ts'

/** Returns how the other wallet is called: by its address, and once the visitor has signed in by its name too. */
export function usePeerName(parley: Parley, me: string | undefined, peer: string | undefined): string {
  const [name, setName] = useState('')
  useEffect(() => {
    const options = parley.active?.options
    if (!me || !peer || !options) return undefined
    const left = new AbortController()
    const { signal } = left
    createClientOf(options, names)
      .getName({ name: peer }, { signal })
      .then(
        ([found]) => setName(found?.name ?? ''),
        // The address says who it is.
        () => {},
      )
    return () => left.abort()
  }, [parley, me, peer])
  const short = peer ? shortAddress(peer) : ''
  return name && me ? `${name} (${short})` : short
}
