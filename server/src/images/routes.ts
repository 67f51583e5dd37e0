import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { images, NewImage } from '@parley/sdk/contract/images.ts'
import type { Wallet } from '../core/auth.ts'
import type { Context } from '../core/context.ts'
import type { Handlers } from '../core/serve.ts'
import { makeThumbnail } from './picture.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof images> = {
  async createImage({ db }, { caller, body }) {
    return [await storeImage(db, caller, body)]
  },

  async updateImage({ db }, { caller, body }) {
    const { id, addr } = await storeImage(db, caller, body)
    return [{ id, walletaddr: caller.address, nftaddr: addr, chain: '' }]
  },

  async createProfilePicture({ db }, { caller, body }) {
    return [await storeImage(db, caller, body)]
  },

  async getImage({ db }, { params: { addr } }) {
    return store.findImages(db, addr)
  },
}

async function storeImage(db: Context['db'], caller: Wallet, { addr, base64data }: NewImage) {
  const owned = await requireOwned(db, caller, addr)
  return store.upsertImage(db, { addr: owned, base64data, thumbnail: await makeThumbnail(base64data) })
}

/** A wallet's picture is its own, a community's its creator's. Answers the address that pictures are kept by. */
async function requireOwned(db: Context['db'], caller: Wallet, addr: string): Promise<string> {
  if (addr === caller.address) return addr
  const slug = addr.toLowerCase()
  if ((await store.findCreator(db, slug)) === caller.address) return slug
  throw new ApiError(
    'forbidden',
    `Only ${addr} itself may set its picture, or who created the community of that name. You are signed in as ${caller.address}`,
  )
}
