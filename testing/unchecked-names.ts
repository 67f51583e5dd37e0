// These functions store names that the rule for names refuses, as another release or the operator may have stored them.

import { publishingByAdmin } from '../server/src/auth/publishing.ts'
import { insertCommunity } from '../server/src/features/communities/store.ts'
import { updateName } from '../server/src/features/names/store.ts'
import type { Context } from '../server/src/context.ts'

export const storeName = ({ db }: Context, address: string, name: string): Promise<number> =>
  updateName(db, publishingByAdmin, {
    address,
    name: { name, folded: name.toLowerCase(), skeletons: [name.toLowerCase()], onChain: false },
  })

export const storeCommunity = async ({ db }: Context, creator: string, community: string): Promise<void> => {
  const rule = { skeletons: [community.toLowerCase()], aDay: undefined, inAll: 1000 }
  await insertCommunity(db, publishingByAdmin, creator, { community, social: [] }, rule)
}
