// Finds who claims to be of the team of a service without being it: in a name, and in what a stranger writes. A client does this
// with the text that it shows, so it works in encrypted messages too; the service uses the same rule for names. No message is
// held back by it.

import { folded, readings } from './fold.ts'
import { secrets, team, teamInNames } from './words.ts'

const listed = (text: string): string[] => text.split(', ')

/** What is searched for, in the form of the readings. */
interface Wanted {
  /** Whole words, in order. */
  words: string[]
  /** These are found within words too. */
  parts: string[]
}

const wantedOf = (words: string[], parts: string[]): Wanted => {
  const forms = (phrases: string[]) => phrases.map(folded).filter((phrase) => phrase.length > 0)
  return {
    words: forms(words).map((phrase) => ` ${phrase.join(' ')} `),
    // Phrases of several words are also written together.
    parts: [
      ...forms(parts),
      ...forms(words).filter((phrase) => phrase.length > 1 && lengthOf(phrase) > 8),
    ].map((phrase) => phrase.join('')),
  }
}

const lengthOf = (phrase: string[]) => phrase.join('').length

// The lists are folded when they are needed first.
const lazily = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined
  return () => (made ??= make())
}
const ofTeam = lazily(() => wantedOf(listed(team.words), listed(team.parts)))
const ofNames = lazily(() => wantedOf(listed(teamInNames), []))
const ofSecrets = lazily(() => wantedOf(listed(secrets.words), listed(secrets.parts)))
/** These claim it at the end of a word too, as in `UniswapSupport`, and some at its beginning. */
const endings = lazily(() =>
  ['support', 'official', 'helpdesk', 'moderator'].map((word) => folded(word).join('')),
)
const beginnings = lazily(() => ['official', 'helpdesk'].map((word) => folded(word).join('')))
const isAtEnd = (word: string) => endings().some((claim) => word.endsWith(claim))
const isAtEnds = (word: string) => isAtEnd(word) || beginnings().some((claim) => word.startsWith(claim))

const has = ({ words, parts }: Wanted, read: string[]): boolean => {
  const spaced = ` ${read.join(' ')} `
  const together = read.join('')
  return words.some((word) => spaced.includes(word)) || parts.some((part) => together.includes(part))
}

/** The longest part of a text that is read: what is searched for stands at the beginning, or often. */
const longest = 16_000

/** What a service says about its team: the words that its operator has set, its host, and the labels of its team. */
export interface TeamWords {
  words?: readonly string[] | undefined
  host?: string | undefined
  labels?: readonly string[] | undefined
}

/** Returns the name of a service as people say it, of its host: `chat.night-market.co.uk` is `night-market`. */
export function nameOfHost(host: string): string | undefined {
  const labels = host.replace(/:\d+$/, '').toLowerCase().split('.')
  if (labels.length < 2 || labels.every((label) => /^\d+$/.test(label))) return undefined
  const isOfCountry = labels.length > 2 && /^(?:co|com|net|org|ac|gov|edu)$/.test(labels.at(-2)!)
  const name = labels.at(isOfCountry ? -3 : -2)!
  return name.length > 2 ? name : undefined
}

/**
 * Returns true when a name says that somebody is of the team of the service, or is the service itself; with `service` only what is
 * its own counts, and not what any team is called.
 */
export function claimsTeam(
  name: string,
  { words = [], host = '', labels = [] }: TeamWords = {},
  of: 'any' | 'service' = 'any',
): boolean {
  const service = nameOfHost(host)
  const own = wantedOf([...words, ...labels, ...(service ? [service] : [])], [])
  const lists = of === 'service' ? [own] : [ofTeam(), ofNames(), own]
  return readings(name.slice(0, longest)).some(
    (read) =>
      lists.some((wanted) => has(wanted, read)) ||
      (of === 'any' && (isAtEnds(read.join('')) || read.some(isAtEnds))),
  )
}

/** What a text of a stranger is suspicious for: it speaks for a team, or it asks for what opens a wallet. */
export interface Claims {
  team: boolean
  secrets: boolean
}

/** Returns what a text of a stranger claims. */
export function claimsIn(text: string, { words = [] }: TeamWords = {}): Claims {
  const own = wantedOf([...words], [])
  const all = readings(text.slice(0, longest))
  return {
    team: all.some((read) => has(ofTeam(), read) || has(own, read) || read.some(isAtEnd)),
    secrets: all.some((read) => has(ofSecrets(), read)),
  }
}
