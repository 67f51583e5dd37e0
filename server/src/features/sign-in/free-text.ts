// A text that is not EIP-4361 says by itself which site it is for, if it says so at all. So it must name this service's host, and
// nothing else that could be mistaken for a place: its reader would otherwise sign for another site what is accepted here. What
// cannot be distinguished from a host counts as one.

import { invisible, plainPunctuation } from '../../values/skeleton.ts'

// A name stands alone: between white space, with brackets, quotes or the end of a sentence.
const opening = String.raw`(?<![^\s"'(<\[])`
const closing = String.raw`(?=[.,;:!?'")\]>。，！？）」]*(?:\s|$))`

const times = new RegExp(
  String.raw`${opening}(?:\d{4}-\d\d-\d\d[Tt ])?\d\d?:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?${closing}`,
  'g',
)

// These are places: a dot before anything but white space or the end of a sentence; a port or an IPv6 address; a path; a user; an
// escaped character; punycode.
const place = /\.[^\s.,;:!?'")\]>]|:[\d:]|[0-9a-f]:[0-9a-f]|[/\\@]|%[0-9a-f]{2}|xn--/i
// These dots are punctuation in other scripts, next to a Latin letter or digit.
const otherDot = /[a-z0-9][。｡︒·•‧∙⋅・･˳][^\s]|[^\s][。｡︒·•‧∙⋅・･˳][a-z0-9]/i
const arabicZero = /(?<!\p{Nd})[٠۰](?!\p{Nd})/u

interface Own {
  /** The hosts with their ports. */
  hosts: string[]
  /** The schemes, such as `https`. */
  schemes: string[]
  /** Other words that may stand in the text and are no places. */
  words: string[]
}

/** Returns true when a text names one of the hosts, and nothing else that looks like a host or a URL. */
export function namesOnly(text: string, { hosts, schemes, words }: Own): boolean {
  // U+FE0F follows many emoji.
  if (invisible.test(text.replace(/[\t\n\r]|\ufe0f/g, ''))) return false
  const own = new RegExp(
    `${opening}(?:(?:${schemes.join('|')})://)?(?:${hosts.map((host) => RegExp.escape(host)).join('|')})/?${closing}`,
    'gi',
  )
  const rest = [own, times, ...words.map((word) => new RegExp(RegExp.escape(word), 'gi'))].reduce(
    (left, known) => left.replace(known, ' '),
    text,
  )
  const plain = plainPunctuation(rest)
  return text.search(own) >= 0 && ![place, otherDot, arabicZero].some((found) => found.test(plain))
}
