import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { images, NewImage } from '@parley/sdk/contract/images.ts'
import type { Wallet } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { type Handlers, twoSteps } from '../../http/endpoint.ts'
import { drawPicture } from './picture.ts'
import * as store from './store.ts'

const upload = twoSteps<typeof images.createImage, Awaited<ReturnType<typeof makePicture>>>(
  (ctx, { caller, body }) => makePicture(ctx, caller, body),
  async ({ db }, _request, picture) => [await store.upsertImage(db, picture)],
)

export const handlers: Handlers<typeof images> = {
  createImage: upload,

  async updateImage(ctx, { caller, body }) {
    const { id, addr } = await store.upsertImage(ctx.db, await makePicture(ctx, caller, body))
    return [{ id, walletaddr: caller.address, nftaddr: addr, chain: '' }]
  },

  createProfilePicture: upload,

  async deleteImage({ db }, { caller, params: { addr } }) {
    await store.deleteImage(db, await requireOwned(db, caller, addr))
  },

  async getImage({ db }, { params: { addr } }) {
    return store.findImages(db, addr, 'base64data')
  },

  async getPicture({ db }, { params: { addr } }) {
    return store.findImages(db, addr, 'shown')
  },
}

async function makePicture({ db, config }: Context, caller: Wallet, { addr, base64data }: NewImage) {
  const owned = await requireOwned(db, caller, addr)
  return { addr: owned, base64data, ...(await drawPicture(config, caller.address, base64data)) }
}

/** A wallet's picture is its own, a community's its creator's. Answers the address that pictures are kept by. */
async function requireOwned(db: Context['db'], caller: Wallet, addr: string): Promise<string> {
  const slug = addr.toLowerCase()
  // Asked also when it is the wallet's own: nothing is decoded while the database is away.
  const creator = await store.findCreator(db, slug)
  if (addr === caller.address) return addr
  if (creator === caller.address) return slug
  throw new ApiError(
    'forbidden',
    `Only ${addr} itself may change its picture, or who created the community of that name. You are signed in as ${caller.address}`,
  )
}
