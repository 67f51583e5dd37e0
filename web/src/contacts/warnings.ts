// These rules, which anybody can follow, find what is suspicious in the messages of a stranger.

import { claimsIn, claimsTeam, type TeamWords } from '@parley/sdk/claims/index.ts'
import { linksIn } from '@parley/sdk/links.ts'

const valuable = /\b(0x[0-9a-f]{40}|(?=\w*\d)[1-9A-HJ-NP-Za-km-z]{43,44})\b/i

const listed = new Intl.ListFormat('en', { type: 'conjunction' })

/** Returns the hosts of the links in texts. */
export const hostsOf = (texts: string[]): string[] => [
  ...new Set(texts.flatMap(linksIn).map(({ href }) => new URL(href).host)),
]

/** Returns true when a host has letters other than those of ASCII, which can resemble them. */
export const isDisguised = (host: string): boolean => /(^|\.)xn--/.test(host)

/**
 * Returns true when the name of a file says that it is from the team, or names what opens a wallet. Many forms have the word
 * support in their names: it claims something beside another word of a team, or beside the name of the service.
 */
function isClaimOfFile(name: string, team: TeamWords): boolean {
  const { team: isOfTeam, secrets } = claimsIn(name, team)
  const isMore = claimsIn(name.replace(/support/i, ' '), team).team || claimsTeam(name, team, 'service')
  return secrets || (isOfTeam && isMore)
}

/** This is who writes. */
export interface Writer {
  title: string
  /** They have chosen this name. */
  ownName: string
  isOfficial: boolean
  team: TeamWords & { host: string }
}

/**
 * Says that somebody is not on the team of the service, when their name or what they write claims it or asks for what opens a
 * wallet; undefined for others. It reads what is shown, so it works in encrypted messages too.
 */
export function teamAlarm(
  texts: string[],
  files: string[],
  { title, ownName, isOfficial, team }: Writer,
): string | undefined {
  if (isOfficial) return undefined
  const isClaimed =
    claimsTeam(ownName, team) ||
    files.some((name) => isClaimOfFile(name, team)) ||
    texts.some((text) => {
      const claims = claimsIn(text, team)
      return claims.team || claims.secrets
    })
  return isClaimed
    ? `${title} is not on the team of ${team.host}. The team never asks for your recovery phrase or your keys, and never asks you to verify a wallet.`
    : undefined
}

/** Returns warnings about the texts of somebody whom the reader does not know; none when nothing stands out. */
export function alarmsOf(texts: string[]): string[] {
  const hosts = hostsOf(texts)
  const disguised = hosts.some(isDisguised)
  return [
    ...(texts.some((text) => claimsIn(text).secrets)
      ? [
          'They mention a seed phrase or private key, or verifying a wallet. Never share yours. Nobody honest asks.',
        ]
      : []),
    ...(hosts.length > 0
      ? [
          `Contains ${hosts.length === 1 ? 'a link' : 'links'} to ${listed.format(hosts.slice(0, 3))}. Links open after you accept.`,
        ]
      : []),
    ...(disguised ? ['A link imitates another site’s address.'] : []),
    ...(texts.some((text) => valuable.test(text.replaceAll(/https?:\S+/g, '')))
      ? ['Contains a wallet address. Confirm it another way before sending money.']
      : []),
  ]
}
