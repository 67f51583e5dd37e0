import type { Parley } from '@parley/react'
import { createClientOf } from '@parley/sdk'
import { names } from '@parley/sdk/slices'
import { useEffect, useState } from 'react'

/** Returns the name of the other wallet, once the visitor has signed in; empty without one. */
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
  return me ? name : ''
}
