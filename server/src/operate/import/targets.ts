// Says into which chat each channel of an export goes: one into the chat of the community itself, several into rooms of it. Makes the
// community and its rooms where there are none.

import { mostRooms } from '@parley/sdk/contract/rooms.ts'
import { publishingByAdmin } from '../../auth/publishing.ts'
import type { Db } from '../../db/pool.ts'
import { insertCommunity } from '../../features/communities/store.ts'
import { insertRoom } from '../../features/rooms/store.ts'
import { chatKey, communityOf, isNftKey, isRoom } from '../../messages/chat-key.ts'
import { findPlace } from '../../messages/rooms.ts'
import { chatBucket } from '../../values/bucket.ts'
import { parseRoomName, parseSlug } from '../../values/display-name.ts'
import { canonicalAddress, isAddress } from '../../values/formats.ts'
import { cleanName, ImportError, keyOf, type Kind } from './records.ts'

export interface Goal {
  channel: string
  chat: string
  /** People see its key like this. */
  nftaddr: string
}

/** `general=talk` is the channel general, which goes into the room talk. */
function choiceOf(text: string): { channel: string; room: string | undefined } {
  const at = text.lastIndexOf('=')
  return at < 0
    ? { channel: keyOf(text), room: undefined }
    : { channel: keyOf(text.slice(0, at)), room: text.slice(at + 1) }
}

/** Reads the channels that are to be imported. */
export function planFor(given: string[], kind: Kind) {
  const chosen = given.map(choiceOf)
  return {
    isChosen: (channel: string) => chosen.length === 0 || chosen.some((one) => one.channel === channel),
    goalsOf(found: string[], community: string): Goal[] {
      const missing = chosen.find(({ channel }) => !found.includes(channel))
      if (missing !== undefined)
        throw new ImportError(`The export has no channel ${missing.channel}. It has: ${listed(found)}.`)
      const taken = chosen.length > 0 ? chosen : found.map((channel) => ({ channel, room: undefined }))
      if (taken.length === 0) throw new ImportError('The export has no channel with a message.')
      if (taken.length > mostRooms + (kind === 'parley' ? 1 : 0))
        throw new ImportError(
          `The export has ${taken.length} channels, and a community has ${mostRooms} rooms at most. Choose some: --channel followed by one of ${listed(found)}.`,
        )
      const isMany = taken.length > 1
      const goals = taken.map(({ channel, room }) =>
        goalOf(community, channel, room ?? (isMany ? roomOf(channel, kind) : undefined)),
      )
      const twice = goals.find(({ chat }, n) => goals.some((other, m) => m < n && other.chat === chat))
      if (twice) throw new ImportError(`Two channels would go into ${twice.chat}: ${sayRoom(twice.channel)}.`)
      return goals
    },
  }
}

/** Each of its characters has at most four bytes. */
const mostOfTitle = 32

const sayRoom = (channel: string) => `say --channel "${channel}=" and the name of a room`

/** Of an export of a Parley, the chat of its community is that of the new one, and rooms stay rooms. */
const roomOf = (channel: string, kind: Kind): string | undefined =>
  kind === 'parley'
    ? channel.split('/').slice(1).join('/') || undefined
    : channel.trim().replaceAll(/\s+/gu, '-')

function goalOf(community: string, channel: string, name: string | undefined): Goal {
  if (name === undefined) return { channel, chat: chatKey(community), nftaddr: community }
  const parsed = parseRoomName(name)
  if ('problem' in parsed)
    throw new ImportError(`The name of the room ${name} ${parsed.problem}: ${sayRoom(channel)}.`)
  const nftaddr = `${community}/${name}`
  if (Array.from(nftaddr).length > 128)
    throw new ImportError(`The name of the room ${name} is too long: ${sayRoom(channel)}.`)
  return { channel, chat: chatKey(nftaddr), nftaddr }
}

const listed = (names: string[]): string =>
  names.length <= 20 ? names.join(', ') : `${names.slice(0, 20).join(', ')} and ${names.length - 20} more`

interface Wanted {
  kind: Kind
  into: string
  owner: string | undefined
  isDry: boolean
}

/** Checks that the community can be used, and creates what is missing unless it is a dry run. Returns its owner. */
export async function prepare(db: Db, wanted: Wanted, goals: Goal[]): Promise<{ owner: string }> {
  const owner = await requireCommunity(db, wanted)
  for (const { chat, channel } of goals) {
    if (!isRoom(chat) || wanted.isDry || (await findPlace(db, chat))?.kind) continue
    const name = parseRoomName(chat.slice(communityOf(chat).length + 1))
    const title = Array.from(
      cleanName(wanted.kind === 'parley' ? channel.split('/').at(-1)! : channel, 'room'),
    )
      .slice(0, mostOfTitle)
      .join('')
    const refused = await insertRoom(
      db,
      publishingByAdmin,
      { chat, actor: owner },
      { title },
      'skeletons' in name ? name.skeletons : [],
    )
    if (refused === 'full') throw new ImportError(`${wanted.into} has ${mostRooms} rooms already.`)
    if (refused === 'similar')
      throw new ImportError(`Another room has a name that looks like ${chat}: ${sayRoom(channel)}.`)
  }
  return { owner }
}

async function requireCommunity(db: Db, { into, owner, isDry }: Wanted): Promise<string> {
  const chat = chatKey(into)
  const [found] = await db.query<{ creator: string | null }>(
    'select creator from communities where bucket = $1 and chat = $2',
    [chatBucket(chat), chat],
  )
  if (found) return found.creator ?? owner ?? 'parley:import'
  const slug = isNftKey(into) ? { problem: 'must not be shaped like an address' } : parseSlug(into)
  if ('problem' in slug) throw new ImportError(`The name of a community ${slug.problem}.`)
  if (owner === undefined)
    throw new ImportError(
      `There is no community ${into}. Say --owner and the address of a wallet: it is created for that wallet.`,
    )
  if (!isAddress(owner)) throw new ImportError(`${owner} is not the address of a wallet.`)
  const wallet = canonicalAddress(owner)
  if (isDry) return wallet
  const { refused } = await insertCommunity(
    db,
    publishingByAdmin,
    wallet,
    { community: into },
    { skeletons: slug.skeletons, aDay: undefined, inAll: 2 ** 31 - 1 },
  )
  if (refused !== null) throw new ImportError(`Another wallet has just created the community ${into}.`)
  return wallet
}
