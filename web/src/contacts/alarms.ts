// What to look at in the messages of a stranger, said by rules that anybody can follow.

import { linksIn } from '../ui/links.ts'

const secrets =
  /\b(seed|recovery|secret|mnemonic|backup)[ -]?(phrase|words?)\b|\bprivate[ -]?key\b|\b(12|24|twelve|twenty[ -]four) words\b/i
const valuable = /\b0x[0-9a-f]{40}\b/i

const listed = new Intl.ListFormat('en', { type: 'conjunction' })

/** Sentences about the texts of somebody whom the reader does not know; none where nothing stands out. */
export function alarmsOf(texts: string[]): string[] {
  const hosts = [...new Set(texts.flatMap(linksIn).map(({ href }) => new URL(href).host))]
  const disguised = hosts.some((host) => /(^|\.)xn--/.test(host))
  return [
    ...(texts.some((text) => secrets.test(text))
      ? ['It writes of a seed phrase or a private key. Nobody who is honest asks for yours.']
      : []),
    ...(hosts.length > 0
      ? [
          `${hosts.length === 1 ? 'A link leads' : 'Links lead'} to ${listed.format(hosts.slice(0, 3))}. You can open ${hosts.length === 1 ? 'it' : 'them'} when you have accepted.`,
        ]
      : []),
    ...(disguised ? ['The address of a link has letters that look like others.'] : []),
    ...(texts.some((text) => valuable.test(text.replaceAll(/https?:\S+/g, '')))
      ? ['It has an address in it. Check it with whom it belongs to before you send anything there.']
      : []),
  ]
}
