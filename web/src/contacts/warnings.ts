// These rules, which anybody can follow, find what is suspicious in the messages of a stranger.

import { linksIn } from '@parley/sdk/links.ts'

const secrets =
  /\b(seed|recovery|secret|mnemonic|backup)[ -]?(phrase|words?)\b|\bprivate[ -]?key\b|\b(12|24|twelve|twenty[ -]four) words\b/i
const valuable = /\b(0x[0-9a-f]{40}|(?=\w*\d)[1-9A-HJ-NP-Za-km-z]{43,44})\b/i

const listed = new Intl.ListFormat('en', { type: 'conjunction' })

/** Returns the hosts of the links in texts. */
export const hostsOf = (texts: string[]): string[] => [
  ...new Set(texts.flatMap(linksIn).map(({ href }) => new URL(href).host)),
]

/** Returns true when a host has letters other than those of ASCII, which can resemble them. */
export const isDisguised = (host: string): boolean => /(^|\.)xn--/.test(host)

/** Returns warnings about the texts of somebody whom the reader does not know; none when nothing stands out. */
export function alarmsOf(texts: string[]): string[] {
  const hosts = hostsOf(texts)
  const disguised = hosts.some(isDisguised)
  return [
    ...(texts.some((text) => secrets.test(text))
      ? ['They mention a seed phrase or private key. Never share yours. Nobody honest asks.']
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
