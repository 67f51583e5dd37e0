// What a row of a message that was found shows: where it is, who wrote it, and the part of its text around the first match.

import type { ChatItem, GroupChatItem, InboxItem } from '@parley/sdk'
import { match, type Mark, type SearchQuery } from '@parley/sdk/search/query.ts'
import { pathAt, type Place } from '../inbox/cache.ts'
import { seedOf, titleOf } from '../inbox/rows.ts'
import { onOneLine } from '../messages/format.ts'
import type { Aliases } from '../names/aliases.ts'
import { nameOf } from '../names/profile.ts'
import { peerOf } from '../names/peer.ts'
import { shortAddress } from '../seal/address.ts'

type Item = ChatItem | GroupChatItem

interface Around {
  me: string
  rows: readonly InboxItem[]
  aliases: Aliases
}

export interface ShownHit {
  title: string
  /** This is what its picture is drawn from. */
  seed: string
  picture: string | undefined
  isChat: boolean
  /** This is the author, where the title does not say it. */
  author: string
  path: string
}

const isDirect = (item: Item): item is ChatItem => 'toaddr' in item

/** Returns the place of a message in the client. */
const placeOf = (item: Item, me: string): Place =>
  isDirect(item)
    ? { context_type: 'dm', addr: peerOf(item, me) }
    : { context_type: item.context_type, addr: item.nftaddr }

export function shownHit(item: Item, { me, rows, aliases }: Around): ShownHit {
  const place = placeOf(item, me)
  const isChat = place.context_type !== 'dm'
  const seed = place.addr
  const row = rows.find(
    (one) => (one.context_type !== 'dm') === isChat && seedOf(one, me).toLowerCase() === seed.toLowerCase(),
  )
  const nameFor = (wallet: string, sent: string) =>
    aliases.get(wallet) || sent || nameOf(wallet) || shortAddress(wallet)
  const sent = item.fromaddr === seed ? item.sender_name : ''
  const title = row ? titleOf(row, me) : isChat ? chatName(seed) : nameFor(seed, sent)
  const author = item.fromaddr === me ? 'You' : isChat ? nameFor(item.fromaddr, item.sender_name) : ''
  return { title, seed, picture: row?.logo, isChat, author, path: pathAt(place) }
}

const chatName = (chat: string) => (chat.startsWith('0x') ? shortAddress(chat) : chat)

export interface Piece {
  text: string
  isFound: boolean
}

/** So much of a text is shown, and so much of that before the first match. */
const longest = 160
const lead = 36

/** Returns the part of a message around its first match; the name of a file where only that matches. */
export function snippetOf(
  item: Item,
  query: SearchQuery,
  marks: Mark[],
): { pieces: Piece[]; isFile: boolean } {
  const text = onOneLine(item.message)
  const names = item.files?.map(({ name }) => name ?? '') ?? []
  const found = match(query, [text, ...names])
  const inText = found?.[0] ?? []
  const fileAt = found && inText.length === 0 ? found.findIndex((ofText) => ofText.length > 0) - 1 : -1
  if (fileAt >= 0) return { pieces: piecesOf(names[fileAt]!, found![fileAt + 1]!), isFile: true }
  // What stands across markers is found in the text as it was written.
  if (!found && marks.length > 0) return { pieces: piecesOf(item.message, marks), isFile: false }
  return text
    ? { pieces: piecesOf(text, inText), isFile: false }
    : { pieces: piecesOf(names.join(', '), []), isFile: names.length > 0 }
}

function piecesOf(text: string, marks: Mark[]): Piece[] {
  const first = marks[0]?.[0] ?? 0
  const from = first > lead + 12 ? wordBefore(text, first - lead) : 0
  const to = Math.min(text.length, from + longest)
  const pieces: Piece[] = from > 0 ? [{ text: '…', isFound: false }] : []
  let at = from
  for (const [start, end] of marks) {
    if (start >= to) break
    if (start > at) pieces.push({ text: text.slice(at, start), isFound: false })
    pieces.push({ text: text.slice(start, Math.min(end, to)), isFound: true })
    at = Math.min(end, to)
  }
  pieces.push({ text: text.slice(at, to) + (to < text.length ? '…' : ''), isFound: false })
  return pieces.filter((piece) => piece.text !== '')
}

/** Returns where the word begins after a place; the place itself where there is no gap near it. */
function wordBefore(text: string, at: number): number {
  const gap = text.indexOf(' ', at)
  const begin = gap >= 0 && gap < at + 16 ? gap + 1 : at
  // No half of a character.
  return /[\udc00-\udfff]/.test(text[begin] ?? '') ? begin - 1 : begin
}
