import { createClientOf } from '@parley/sdk'
import { official, service } from '@parley/sdk/slices'
import { useEffect, useState } from 'react'

/** The frame reads the team of the service again after these milliseconds. */
const every = 5 * 60_000

/** What the wallets of the team do, by their addresses; undefined until it is read. */
export type Team = ReadonlyMap<string, string> | undefined

/** Returns the team of the service. Anybody may read it, so it is there before the visitor signs in. */
export function useTeam(): Team {
  const [team, setTeam] = useState<Team>()
  useEffect(() => {
    const client = createClientOf({ baseUrl: location.origin }, official)
    const read = () =>
      client.listOfficial().then(
        (wallets) => setTeam(new Map(wallets.map(({ address, label }) => [address, label]))),
        () => {
          // Without an answer nobody has the sign.
        },
      )
    void read()
    const timer = setInterval(() => void read(), every)
    return () => clearInterval(timer)
  }, [])
  return team
}

type Claims = (name: string, labels: string[]) => boolean

let claims: Promise<Claims> | undefined

/** Loads what says whether a name claims to be of the team, with the words that the operator has set. */
async function loadClaims(): Promise<Claims> {
  const client = createClientOf({ baseUrl: location.origin }, service)
  const [{ claimsTeam }, { official_words: words }] = await Promise.all([
    import('@parley/sdk/claims/index.ts'),
    client.getServiceInfo(),
  ])
  return (name, labels) => claimsTeam(name, { host: location.host, words, labels })
}

/** Returns true when a name says that its wallet is on the team. What reads it loads with the first name. */
export function useFalseClaim(name: string, team: Team): boolean {
  const [isClaim, setIsClaim] = useState<Claims>()
  const isAsked = name !== '' && team !== undefined
  useEffect(() => {
    if (!isAsked) return
    claims ??= loadClaims()
    claims.then(
      (loaded) => setIsClaim(() => loaded),
      () => {
        // Without a connection the name stands alone, and the next name tries again.
        claims = undefined
      },
    )
  }, [isAsked])
  return isAsked && isClaim !== undefined && isClaim(name, [...team.values()])
}
