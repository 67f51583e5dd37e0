// Says into which chat each channel of an export goes, and makes the community where there is none.

import { publishingByAdmin } from '../../auth/publishing.ts'
import type { Db } from '../../db/pool.ts'
import { insertCommunity } from '../../features/communities/store.ts'
import { chatKey, isNftKey } from '../../messages/chat-key.ts'
import { chatBucket } from '../../values/bucket.ts'
import { parseSlug } from '../../values/display-name.ts'
import { canonicalAddress, isAddress } from '../../values/formats.ts'
import { ImportError, keyOf } from './records.ts'

export interface Goal {
  channel: string
  chat: string
  /** People see its key like this. */
  nftaddr: string
}

/** Reads the channels that are to be imported. */
export function planFor(channels: string[]) {
  const chosen = channels.map(keyOf)
  return {
    isChosen: (channel: string) => chosen.length === 0 || chosen.includes(channel),
    goalsOf(found: string[], community: string): Goal[] {
      const missing = chosen.find((one) => !found.includes(one))
      if (missing !== undefined)
        throw new ImportError(`The export has no channel ${missing}. It has: ${listed(found)}.`)
      const taken = chosen.length === 0 ? found : chosen
      if (taken.length === 0) throw new ImportError('The export has no channel with a message.')
      if (taken.length > 1)
        throw new ImportError(
          `The export has ${taken.length} channels, and a chat takes one of them. Say which: --channel followed by one of ${listed(taken)}.`,
        )
      return [{ channel: taken[0]!, chat: chatKey(community), nftaddr: community }]
    },
  }
}

const listed = (names: string[]): string =>
  names.length <= 20 ? names.join(', ') : `${names.slice(0, 20).join(', ')} and ${names.length - 20} more`

/** Checks that the community can be used, and creates it unless it is a dry run. Returns its owner. */
export async function prepare(
  db: Db,
  { into, owner, isDry }: { into: string; owner: string | undefined; isDry: boolean },
): Promise<{ owner: string }> {
  const chat = chatKey(into)
  const [found] = await db.query<{ creator: string | null }>(
    'select creator from communities where bucket = $1 and chat = $2',
    [chatBucket(chat), chat],
  )
  if (found) return { owner: found.creator ?? owner ?? 'parley:import' }
  const slug = isNftKey(into) ? { problem: 'must not be shaped like an address' } : parseSlug(into)
  if ('problem' in slug) throw new ImportError(`The name of a community ${slug.problem}.`)
  if (owner === undefined)
    throw new ImportError(
      `There is no community ${into}. Say --owner and the address of a wallet: it is created for that wallet.`,
    )
  if (!isAddress(owner)) throw new ImportError(`${owner} is not the address of a wallet.`)
  const wallet = canonicalAddress(owner)
  if (isDry) return { owner: wallet }
  const { refused } = await insertCommunity(
    db,
    publishingByAdmin,
    wallet,
    { community: into },
    { skeletons: slug.skeletons, aDay: undefined, inAll: 2 ** 31 - 1 },
  )
  if (refused !== null) throw new ImportError(`Another wallet has just created the community ${into}.`)
  return { owner: wallet }
}
