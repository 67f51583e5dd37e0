import type { OfficialWallet } from '@parley/sdk'
import { createClientOf } from '@parley/sdk'
import { official } from '@parley/sdk/slices'
import { useEffect, useState } from 'react'

/** The frame reads the team of the service again after these milliseconds. */
const every = 5 * 60_000

/** Returns what the wallets of the team do, by their addresses. Anybody may read that, so it is there before the visitor signs in. */
export function useTeam(): ReadonlyMap<string, string> {
  const [team, setTeam] = useState<readonly OfficialWallet[]>([])
  useEffect(() => {
    const client = createClientOf({ baseUrl: location.origin }, official)
    const read = () =>
      client.listOfficial().then(setTeam, () => {
        // Without an answer nobody has the sign.
      })
    void read()
    const timer = setInterval(() => void read(), every)
    return () => clearInterval(timer)
  }, [])
  return new Map(team.map(({ address, label }) => [address, label]))
}
