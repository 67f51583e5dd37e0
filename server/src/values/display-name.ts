// Which names are valid, and which are too similar to another.
//
// Two names are too similar when they share a skeleton (UTS #39): the text with every character
// replaced by the prototype of the characters it can be confused with. Skeletons distinguish upper
// and lower case, names do not, so a name has three skeletons: of the name as it is written, of its
// lower case and of its upper case. `VlTALIK`, with a small L, is therefore refused when `vitalik`
// exists, although only VITALIK looks like it.

import { invisible, skeletonOf } from './skeleton.ts'

export interface Name {
  /** In NFC. */
  name: string
  /** The form in which names are compared. */
  folded: string
  /** Without repetitions, sorted. */
  skeletons: string[]
  /** Whether its owner is read from a chain. */
  onChain: boolean
}

// Spec gap: names that seem to speak for the service, or that mean no one.
const reserved = [
  'admin',
  'administrator',
  'anonymous',
  'bot',
  'everyone',
  'help',
  'helpdesk',
  'mod',
  'moderator',
  'null',
  'official',
  'owner',
  'parley',
  'parleyadmin',
  'parleyofficial',
  'parleysupport',
  'parleyteam',
  'postmaster',
  'root',
  'security',
  'service',
  'staff',
  'superuser',
  'support',
  'sysadmin',
  'system',
  'team',
  'undefined',
  'unknown',
  'webmaster',
]

/**
 * Endings of names that are owned on a chain. Only ENS is asked; a name that it does not know is
 * refused.
 */
const onChainSuffixes = [
  '.eth',
  '.bitcoin',
  '.blockchain',
  '.bnb',
  '.btc',
  '.crypto',
  '.dao',
  '.lens',
  '.nft',
  '.polygon',
  '.sol',
  '.ton',
  '.wallet',
  '.x',
  '.zil',
  '.888',
]

/** Reads a name, or says what is wrong with it. */
export function parseName(text: string): Name | { problem: string } {
  const name = text.normalize('NFC')
  const problem = problemOf(name)
  if (problem) return { problem }
  const skeletons = skeletonsOf(name)
  if (skeletons.some((skeleton) => reservedSkeletons.has(lettersOf(skeleton))))
    return { problem: 'must be another name: this one is reserved' }
  const onChain = skeletons.some((skeleton) => onChainEnding.test(skeleton))
  return { name, folded: foldName(name), skeletons, onChain }
}

/** The form in which names are looked up: NFC, without case. */
export const foldName = (name: string): string => name.normalize('NFC').toLowerCase().normalize('NFC')

/** The skeletons of a name in each case, without repetitions, sorted. */
const skeletonsOf = (name: string): string[] =>
  [
    ...new Set([name, name.toLowerCase(), name.toUpperCase()].map((form) => foldName(skeletonOf(form)))),
  ].toSorted()

const otherSpace = /^\p{Z}|\p{Z}$|[^\P{Z} ]|\p{Z}{2}/u

function problemOf(name: string): string | undefined {
  const length = Array.from(name).length
  if (length < 1 || length > 64) return 'must be 1 to 64 characters long'
  if (invisible.test(name)) return 'must have no control, zero-width, bidi or other invisible characters'
  if (otherSpace.test(name)) return 'must have only single, plain spaces, and none at either end'
  if (/^\p{M}/u.test(name)) return 'must not begin with a combining mark'
  if (looksLikeAddress(name)) return 'must not look like an address'
  return undefined
}

// Spec gap: what an address looks like. An EVM address anywhere, or cut short (0xd8dA…6045) and in
// look-alike letters; and what other chains use: 26 or more letters and digits without a break.
function looksLikeAddress(name: string): boolean {
  return (
    /0x[0-9a-f]{40}/i.test(name) ||
    /^0x[0-9a-f.]{8,}$/.test(skeletonOf(name).toLowerCase().replaceAll('o', '0').replaceAll('l', '1')) ||
    (/^[a-z0-9]{26,}$/i.test(name) && /\d/.test(name))
  )
}

const lettersOf = (skeleton: string) => skeleton.replace(/[^\p{L}\p{N}]/gu, '')

const reservedSkeletons = new Set(reserved.flatMap(skeletonsOf))
// At the end of the name or of a word of it. The prototype of the ideographic full stop, a dot in
// domain names, is ˳.
const onChainEnding = new RegExp(
  `[.˳](${onChainSuffixes.flatMap((suffix) => skeletonsOf(suffix.slice(1))).join('|')})(?![\\p{L}\\p{N}])`,
  'u',
)
