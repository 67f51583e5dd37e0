// Says which names claim to be of the team of the service: only wallets that its operator has named may have one.

import { claimsTeam } from '@parley/sdk/claims/index.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Config } from '../config/settings.ts'
import { shortAddress } from '../values/short-address.ts'
import type { Officials } from './officials.ts'

interface Team {
  config: Pick<Config, 'publicUrl' | 'officialWords'>
  officials: Pick<Officials, 'list'>
}

const hostOf = ({ config: { publicUrl } }: Team) => new URL(publicUrl).host

/** Returns true when a name says that it is of the team, or the service itself. */
export const isClaim = (team: Team, name: string): boolean =>
  claimsTeam(name, {
    words: team.config.officialWords,
    host: hostOf(team),
    labels: team.officials.list().map(({ label }) => label),
  })

/** Throws 403 when a name says that it is of the team. A community may be one of a team: it only must not be of this one. */
export function requireNoClaim(team: Team, name: string, of: 'wallet' | 'community' = 'wallet'): void {
  const claims = of === 'wallet' ? isClaim(team, name) : namesService(team, name)
  if (claims) throw refusal(team, 'name')
}

const namesService = (team: Team, text: string) =>
  claimsTeam(text, { host: hostOf(team), words: team.config.officialWords }, 'service')

/** Throws the same for a description: it may name the service, and a team, and not both. */
export function requireNoClaimInText(team: Team, text: string): void {
  if (namesService(team, text) && claimsTeam(text)) throw refusal(team, 'text')
}

const refusal = (team: Team, what: 'name' | 'text') =>
  new ApiError(
    'forbidden',
    `This ${what} says that it is of the team of ${hostOf(team)}. Only wallets that its operator has named may have it. Choose another ${what}.`,
  )

/** Says in words whether a wallet is of the team, where its name says so or it is; undefined for everybody else. */
export function signOf(
  team: Team & { officials: Officials },
  wallet: string,
  name: string,
): 'official' | 'not official' | undefined {
  if (team.officials.get(wallet)) return 'official'
  return isClaim(team, name) ? 'not official' : undefined
}

/** Returns the name of a wallet with these words behind it, for a notification, which has no place for a sign. */
export function signedName(team: Team & { officials: Officials }, wallet: string, name: string): string {
  const sign = signOf(team, wallet, name)
  return sign ? `${name || shortAddress(wallet)} (${sign})` : name
}
