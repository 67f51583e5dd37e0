// Says which names are valid, for wallets and collections and for communities.

import { normalForm } from '@parley/sdk/normal-form.ts'
import { hasUnseen } from '@parley/sdk/unseen.ts'
import { badgeIn } from './badges.ts'
import { compareBy, hasManyMarks, looksLikeAddress, looksLikeUrl } from './look-alikes.ts'
import { foldName, ignorable, invisible, skeletonOf } from './skeleton.ts'

export interface Name {
  /** The name is in NFC. */
  name: string
  /** Look-ups use this form of a name: NFC, without case. */
  folded: string
  /** Names are compared by these: without repetitions, sorted. */
  skeletons: string[]
  /** This is true when the owner is read from a chain. */
  onChain: boolean
}

/** Names with these endings are owned on a chain. Only ENS is queried; a name that ENS does not know is refused. */
const onChainSuffixes =
  'eth bitcoin blockchain bnb btc crypto dao lens nft polygon sol ton wallet x zil 888'.split(' ')

/** Parses a name, or returns the problem with it. A wallet of the team may have a name that says so. */
export function parseName(text: string, { isOfficial = false } = {}): Name | { problem: string } {
  const name = normalForm(text, 'NFC')
  const problem = lengthProblem(name) ?? problemOf(name)
  if (problem) return { problem }
  const compared = compareBy(name)
  const whole = wholeSkeletonsOf(name)
  const onChain = whole.some((skeleton) => onChainEnding.test(skeleton))
  const mayBe =
    'problem' in compared && ((onChain && compared.endsLikeChain) || (isOfficial && compared.isReserved))
  if ('problem' in compared && !mayBe) return { problem: compared.problem }
  // Names of a chain are compared with all their characters: the owner of `vitalik` here cannot block a name that the chain gives
  // to somebody else.
  const skeletons = onChain || 'problem' in compared ? whole : compared.skeletons
  return { name, folded: foldName(name), skeletons, onChain }
}

/** Returns the skeletons by which the name of a community is compared, or the problem with it. */
export function parseSlug(slug: string): { skeletons: string[] } | { problem: string; isReserved?: true } {
  const problem = problemOf(slug)
  if (problem) return { problem }
  if (/[/\\?#%]/.test(slug)) return { problem: 'must have none of / \\ ? # and %: it is a part of links' }
  // Spec gap: a community has no address that a chain could confirm.
  if (wholeSkeletonsOf(slug).some((skeleton) => onChainEnding.test(skeleton)))
    return { problem: 'must not end like a name of a chain' }
  return compareBy(slug)
}

/**
 * Returns the skeletons by which the name of a room is compared within its community, or the problem with it. Words that no name
 * of a wallet may have, such as `support`, name a room.
 */
export function parseRoomName(name: string): { skeletons: string[] } | { problem: string } {
  const slug = parseSlug(name)
  return 'isReserved' in slug ? { skeletons: wholeSkeletonsOf(name) } : slug
}

const otherSpace = /^\p{Z}|\p{Z}$|[^\P{Z} ]|\p{Z}{2}/u

function lengthProblem(name: string): string | undefined {
  const length = Array.from(name).length
  return length < 1 || length > 64 ? 'must be 1 to 64 characters long' : undefined
}

function problemOf(name: string): string | undefined {
  // The checks below leave out the characters that emoji and scripts need: these make nothing look different.
  const plain = name.replace(ignorable, '')
  if (hasUnseen(name) || invisible.test(plain))
    return 'must have no control, zero-width, bidi or other invisible characters but those of emoji and between letters that would join'
  if (otherSpace.test(name)) return 'must have only single, plain spaces, and none at either end'
  if (/^\p{M}/u.test(name)) return 'must not begin with a combining mark'
  const badge = badgeIn(plain)
  if (badge !== undefined)
    return `must not have ${badge}: it looks like the sign of a team, which people do not write themselves`
  if (hasManyMarks(plain)) return 'must have at most four combining marks in a row'
  if (looksLikeAddress(plain)) return 'must not look like an address'
  if (looksLikeUrl(plain)) return 'must not look like the address of a web site'
  return undefined
}

/**
 * Returns the skeletons of a name of a chain, or of one that is compared with such names: of all of it, without its ending, and of
 * its first part. `mira.base.eth` looks like `Mira`.
 */
export function chainNameSkeletons(name: string): string[] {
  const parts = name.split('.')
  const stems = parts.length > 1 ? [parts[0]!, parts.slice(0, -1).join('.')] : [name]
  const compared = stems.filter(Boolean).map(compareBy)
  return [
    ...new Set([
      ...wholeSkeletonsOf(name),
      ...compared.flatMap((one) => ('skeletons' in one ? one.skeletons : [])),
    ]),
  ]
}

/** Returns the skeletons of all characters, in each case. */
const wholeSkeletonsOf = (name: string): string[] =>
  [
    ...new Set([name, name.toLowerCase(), name.toUpperCase()].map((form) => foldName(skeletonOf(form)))),
  ].toSorted()

// The ending is at the end of the name or of one of its words. The prototype of the ideographic full stop, a dot in domain names,
// is ˳.
const onChainEnding = new RegExp(
  `[.˳](${onChainSuffixes.flatMap((suffix) => wholeSkeletonsOf(suffix)).join('|')})(?![\\p{L}\\p{N}])`,
  'u',
)
