// Filters narrow a search: from whom, where, with what, when. Each is a chip below the field, and can be typed: `from:mira`,
// `in:night-market`, `has:link`, `before:2026-11-01`, `after:2026-11-01`.

import { accountOf, canonicalAddress } from '@parley/sdk/accounts.ts'
import type { SearchFor } from '@parley/sdk/contract/search.ts'
import type { Has } from '@parley/sdk/search/filters.ts'
import { shortAddress } from '../seal/address.ts'
import { shortDate } from '../state/time.ts'

export type Filter =
  | { kind: 'from'; address: string; label: string }
  | { kind: 'in'; peer?: string; chat?: string; label: string }
  | { kind: 'has'; has: Has }
  /** Both days are included, as `2026-11-01` in the time of the reader. */
  | { kind: 'since'; day: string }
  | { kind: 'until'; day: string }

/** A person or a place that the client knows by this name. */
export interface KnownName {
  label: string
  /** The wallet, or the chat. */
  address: string
  isChat: boolean
}
export type Known = readonly KnownName[]

const contents = { file: 'Has a file', link: 'Has a link', picture: 'Has a picture' } as const

const words = { from: 'From', in: 'In', since: 'Since', until: 'Until' }

export function labelOf(filter: Filter): string {
  if (filter.kind === 'has') return contents[filter.has]
  const value = 'day' in filter ? shortDate(`${filter.day}T00:00`) : filter.label
  return `${words[filter.kind]} ${value}`
}

const operator = /(^|\s)(from|in|has|before|after|since|until):(?:"([^"]*)"|([^\s"]+))(?=\s)/giu

/** Returns the filters of the finished operators in a text, and the text without them. What nobody knows stays text. */
export function filtersIn(typed: string, known: Known): { text: string; found: Filter[] } {
  const found: Filter[] = []
  const text = typed.replaceAll(
    operator,
    (whole: string, _gap: string, kind: string, quoted?: string, bare?: string) => {
      const filter = filterOf(kind.toLowerCase(), quoted ?? bare ?? '', known)
      if (filter) found.push(filter)
      return filter ? '' : whole
    },
  )
  return { text: found.length > 0 ? text.trimStart() : text, found }
}

/** Says why an operator of a text is no filter; undefined when all are. */
export function unknownIn(text: string): string | undefined {
  const [, , kind, quoted, bare] = [...`${text} `.matchAll(operator)][0] ?? []
  const value = quoted ?? bare
  if (!kind || value === undefined) return undefined
  if (/from/i.test(kind)) return `Nobody in your chats is called “${value}”.`
  if (/in/i.test(kind)) return `You have no chat that is called “${value}”.`
  if (/has/i.test(kind)) return 'Messages are searched for has:link, has:file and has:picture.'
  return `“${value}” is no day, such as ${localDay(new Date())}.`
}

function filterOf(kind: string, value: string, known: Known): Filter | undefined {
  if (kind === 'has') {
    const has = /^(file|link|picture)s?$/i.exec(value)?.[1]?.toLowerCase()
    return has ? { kind, has: has as Has } : undefined
  }
  if (kind === 'from' || kind === 'in') return placeFilter(kind, value, known)
  const day = dayOf(value)
  if (day === undefined) return undefined
  if (kind === 'since' || kind === 'until') return { kind, day }
  return kind === 'after' ? { kind: 'since', day: nextDay(day, 1) } : { kind: 'until', day: nextDay(day, -1) }
}

const slug = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/g, '-')

function placeFilter(kind: 'from' | 'in', value: string, known: Known): Filter | undefined {
  const wanted = slug(value.replace(/^@/, ''))
  const one = choosable(kind, known).find(
    ({ label, address }) => slug(label) === wanted || address.toLowerCase() === wanted,
  )
  if (one) return filterFor(kind, one)
  const address = canonicalAddress(value.trim().replace(/^@/, ''))
  if (!accountOf(address)) return undefined
  return filterFor(kind, { label: shortAddress(address), address, isChat: false })
}

/** Returns the names that a filter takes. */
const choosable = (kind: 'from' | 'in', known: Known) =>
  known.filter(({ isChat }) => kind === 'in' || !isChat)

function filterFor(kind: 'from' | 'in', { label, address, isChat }: KnownName): Filter {
  if (kind === 'from') return { kind, address, label }
  return { kind, label, ...(isChat ? { chat: address } : { peer: address }) }
}

/** The text ends with an operator that is not finished, such as `from:mi`: returns what it begins with, and what may follow. */
export function pendingIn(
  text: string,
): { kind: 'from' | 'in' | 'has'; typed: string; before: string } | undefined {
  const found = /(^|\s)(from|in|has):"?([^"\s]*)$/iu.exec(text)
  if (!found) return undefined
  const kind = found[2]!.toLowerCase() as 'from' | 'in' | 'has'
  return { kind, typed: found[3]!, before: text.slice(0, found.index + found[1]!.length) }
}

/** Returns the choices that finish such an operator. */
export function completionsOf(kind: 'from' | 'in' | 'has', typed: string, known: Known): Filter[] {
  const wanted = slug(typed)
  if (kind === 'has')
    return (Object.keys(contents) as Has[])
      .filter((has) => has.startsWith(wanted))
      .map((has) => ({ kind, has }))
  return choosable(kind, known)
    .filter(({ label, address }) => slug(label).includes(wanted) || address.toLowerCase().startsWith(wanted))
    .slice(0, 8)
    .map((one) => filterFor(kind, one))
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00`))

const dayOf = (text: string): string | undefined => {
  if (/^today$/i.test(text)) return localDay(new Date())
  if (/^yesterday$/i.test(text)) return nextDay(localDay(new Date()), -1)
  return isDay(text) ? text : undefined
}

/** Returns a day as `2026-11-01`, in the time of the reader. */
export const localDay = (date: Date): string =>
  [
    String(date.getFullYear()).padStart(4, '0'),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-')

function nextDay(day: string, days: number): string {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + days)
  return localDay(date)
}

/** Returns the time at which a day begins. */
const startOf = (day: string): string => new Date(`${day}T00:00`).toISOString()

/** Returns what the service and the device search for; undefined while that is too little. */
export function searchFor(text: string, filters: readonly Filter[]): SearchFor | undefined {
  const q = text.trim()
  const found: SearchFor = { q }
  for (const filter of filters) {
    if (filter.kind === 'from') found.from = filter.address
    else if (filter.kind === 'has') found.has = filter.has
    else if (filter.kind === 'since') found.since = startOf(filter.day)
    else if (filter.kind === 'until') found.until = startOf(nextDay(filter.day, 1))
    else if (filter.chat === undefined) found.peer = filter.peer!
    else found.chat = filter.chat
  }
  return isEnough(q) || (q === '' && found.has) ? found : undefined
}

/** One letter finds too much, except where it is a word. */
export const isEnough = (text: string): boolean => /\S.*\S|[\p{Lo}\p{Extended_Pictographic}]/u.test(text)
