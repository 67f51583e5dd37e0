// This file says how names are compared, and which shapes and claims no name may have: one rule for wallets, collections and
// communities.
//
// Two names are too similar when they share a skeleton (UTS #39) of their letters and digits. Symbols, punctuation, white space
// and the marks above letters do not count, nor do words such as `team`: people add these to the name of somebody else. Skeletons
// distinguish upper and lower case, names do not, so a name has three skeletons: of the name as it is written, of its lower case
// and of its upper case. `VlTALIK`, with a small L, is therefore refused when `vitalik` exists, although only VITALIK looks like
// it. A digit at the end makes another name: people read it, and it is the usual way to a name that is free.

import { normalForm } from '@parley/sdk/normal-form.ts'
import { foldName, latinLetters, plainPunctuation, skeletonOf } from './skeleton.ts'

/** These are the words of letters and digits that a name looks like, in one of its forms. */
type Words = string[]

// These are marks of scripts in which the letters are read without them. In other scripts, such as Devanagari, marks are vowels.
const markedLetter =
  /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Common}])\p{M}+/gu
// These marks belong to no script; those that make other letters of kana are left out.
const generalMarks = /(?!\u3099|\u309a)(?=\p{sc=Inherited})\p{M}/gu
const symbol = /(?!\p{Alphabetic})[\p{S}\p{P}]/gu
const symbolButFlags = /(?!\p{Alphabetic}|\p{Regional_Indicator})[\p{S}\p{P}]/gu

/**
 * A symbol counts once as the letter it looks like (`vita|ik`) and once as decoration. So do flags, which are made of letters.
 */
const formsOf = (text: string): Words[] =>
  [text, text.replace(symbolButFlags, ' '), text.replace(symbol, ' ')]
    .flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()])
    .map((form) =>
      normalForm(
        normalForm(foldName(skeletonOf(form)), 'NFD')
          .replace(markedLetter, '$1')
          .replace(generalMarks, ''),
        'NFC',
      )
        .split(/[^\p{L}\p{N}\p{M}]+/u)
        .filter(Boolean),
    )

/** Returns the letters of some words, in all their forms. */
const lettersOf = (words: string): string[] => [
  ...new Set(words.split(' ').flatMap((word) => formsOf(word).map((form) => form.join('')))),
]
const anyOf = (words: string) => lettersOf(words).join('|')

// Spec gap: the words that say nothing about who somebody is.
const idle = new Set(
  lettersOf(
    'admin administrator bot desk help helpdesk mod moderator official real security service staff support team the verified',
  ),
)
// Spec gap: names that mean no one, or what the service says of itself and to its users.
const reserved = new Set(
  lettersOf(
    'all anonymous community deleted deletedmessage dm encryptedmessage everyone inbox me messagedeleted metamask myself nft nobody notetoself notestoself notestoyourself null owner postmaster root somebody someone superuser sysadmin system throwawaykey today typing undefined unknown webmaster yesterday',
  ),
)
// Spec gap: words that only who runs a service, or vouches for people, may use of themselves.
const claims = new Set(lettersOf('parley official verified support admin moderator'))
const claim = new RegExp(
  `^(?:${anyOf('parley official verified helpdesk')})|(?:${anyOf('official verified helpdesk support')})$|${anyOf('newmessage unreadmessage')}`,
  'u',
)
const addressed = new Set(lettersOf('you your'))
// The longest skeleton that an index accepts, even when each character has four bytes.
const longest = 600
const eth = new Set(lettersOf('eth'))

/**
 * Returns the skeletons of a name, without repetitions, sorted; or the problem with it. A name that ends like one of a chain may
 * be one.
 */
export function compareBy(
  name: string,
): { skeletons: string[] } | { problem: string; endsLikeChain?: true; isReserved?: true } {
  const forms = formsOf(name)
  const said = forms.map((words) => words.filter((word) => !idle.has(word)))
  const skeletons = [...new Set(said.map((words) => words.join('').slice(0, longest).toWellFormed()))]
    .filter(Boolean)
    .toSorted()
  if (skeletons.length === 0 || forms.some(isClaim))
    return {
      problem: 'must be another name: this one is reserved, or has no letters and digits of its own',
      ...(forms.some((words) => words.length > 0) && { isReserved: true as const }),
    }
  if (said.some((words) => words.length > 1 && eth.has(words.at(-1)!)))
    return {
      problem: 'must not end like a name of a chain: write such a name as the chain has it',
      endsLikeChain: true,
    }
  return { skeletons }
}

const isClaim = (words: Words): boolean => {
  const letters = words.join('')
  return (
    reserved.has(letters) ||
    idle.has(letters) ||
    claim.test(letters) ||
    addressed.has(words[0] ?? '') ||
    words.some((word) => claims.has(word))
  )
}

// Spec gap: the endings by which a name without more is taken for a web site.
const endings =
  'app biz cash cc click cloud club cn co com dev eu example exchange finance gg info io link live ly money net online org page pro ru shop site space store tech test top tv uk vip website win xyz'
const site = new RegExp(
  `[\\p{L}\\p{N}][.˳](${anyOf(endings)})(?![\\p{L}\\p{N}]|[.˳][\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])www\\d?[.˳]`,
  'u',
)
const url = /\/\/|[\p{L}\p{N}]\.[\p{L}\p{N}-]+[/?#:]|@[^\s@]+\.[^\s@]/u

export const looksLikeUrl = (name: string): boolean =>
  url.test(plainPunctuation(name)) ||
  [name, name.toLowerCase()].some((form) => site.test(foldName(skeletonOf(form))))

/**
 * Spec gap: what an address looks like. An EVM address anywhere, whole, cut short (0xd8dA…6045) or
 * in pieces, and in look-alike letters; what other chains use: 26 or more letters and digits without
 * a break; and the key of a POAP event.
 */
export function looksLikeAddress(name: string): boolean {
  const letters = latinLetters(name).toLowerCase()
  const hex = letters.replace(/[il|]/g, '1').replaceAll('o', '0')
  return (
    /0x[0-9a-f]{40}/.test(hex) ||
    /(?<![\p{L}\p{N}])0x[0-9a-f]{2,}(?:[^\p{L}\p{N}\s]|\s?[.…]+\s?){1,5}[0-9a-f]{3,}(?![\p{L}\p{N}])/u.test(
      hex,
    ) ||
    /^0x[0-9a-f]{8,}$/.test(hex.replace(/[^\p{L}\p{N}]/gu, '')) ||
    (/^[a-z0-9]{26,}$/.test(letters) && /\d/.test(letters)) ||
    letters.startsWith('poap_')
  )
}

export const hasManyMarks = (name: string): boolean => /\p{M}{5}/u.test(name)
