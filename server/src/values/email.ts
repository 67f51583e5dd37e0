// Accepts the e-mail addresses of RFC 5321 without its quoted local parts and address literals, and with the letters of any
// script (RFC 6531). They need no quoting in a header or a link: they have no white space, control character, quote, bracket,
// comma, colon or semicolon.

import { domainToASCII } from 'node:url'
import { normalForm } from '@parley/sdk/normal-form.ts'

const localPart = /^[^\p{C}\p{Z}"(),.:;<>@[\\\]]+(?:\.[^\p{C}\p{Z}"(),.:;<>@[\\\]]+)*$/u
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
// No domain of any script has these characters, and domainToASCII would decode them or cut there.
const noDomain = /[\p{C}\p{Z}%/?#:@\\]/u

const split = (value: string): [local: string, domain: string] => {
  const at = value.lastIndexOf('@')
  return [value.slice(0, Math.max(at, 0)), value.slice(at + 1)]
}

export function isEmail(value: string): boolean {
  if (value.length > 254 || Buffer.byteLength(value) > 254) return false
  const [local, domain] = split(value)
  if (Buffer.byteLength(local) > 64 || !localPart.test(local) || noDomain.test(domain)) return false
  const labels = domainToASCII(domain).split('.')
  return labels.length > 1 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1)!)
}

/** Returns the canonical form of an address: domains compare without case and script, local parts exactly. */
export function canonicalEmail(email: string): string {
  const [local, domain] = split(email)
  return `${local}@${domainToASCII(domain)}`
}

// At these providers several domains are one, and some characters in local parts do not count.
const providers = [
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
  { domains: ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'ya.ru'], ignored: /[.-]/g },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
]

/**
 * Returns the mailbox of an address, for counting mails to it: without letter case, `+tag`, and what its provider ignores. Tags
 * are cut everywhere, because such providers host many domains.
 */
export function mailboxOf(email: string): string {
  const [local, domain] = split(normalForm(canonicalEmail(email), 'NFKC').toLowerCase())
  const provider = providers.find(({ domains }) => domains.includes(domain))
  const untagged = local.split('+')[0] || local
  const mailbox = provider?.ignored ? untagged.replace(provider.ignored, '') || untagged : untagged
  return `${mailbox}@${provider?.domains[0] ?? domain}`
}

/**
 * Hides all but the first letter of every local part in a text, for logs: a***@example.org. A long text is cut first: the work
 * grows with the square of its length, and the text may come from another server.
 */
export const maskEmails = (text: string): string =>
  text
    .slice(0, 1000)
    .replace(/([^\p{C}\p{Z}"(),:;<>@[\\\]])[^\p{C}\p{Z}"(),:;<>@[\\\]]*@(?=[^\p{C}\p{Z}@])/gu, '$1***@')
