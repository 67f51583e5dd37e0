import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { images, NewImage } from '@parley/sdk/contract/images.ts'
import type { Wallet } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { type Handlers, twoSteps } from '../../http/endpoint.ts'
import * as store from './store.ts'

const upload = twoSteps<typeof images.createImage, Awaited<ReturnType<typeof makePicture>>>(
  ({ db }, { caller, body }) => makePicture(db, caller, body),
  async ({ db }, _request, picture) => [await store.upsertImage(db, picture)],
)

export const handlers: Handlers<typeof images> = {
  createImage: upload,

  async updateImage({ db }, { caller, body }) {
    const { id, addr } = await store.upsertImage(db, await makePicture(db, caller, body))
    return [{ id, walletaddr: caller.address, nftaddr: addr, chain: '' }]
  },

  createProfilePicture: upload,

  async getImage({ db }, { params: { addr } }) {
    return store.findImages(db, addr)
  },
}

async function makePicture(db: Context['db'], caller: Wallet, { addr, base64data }: NewImage) {
  const owned = await requireOwned(db, caller, addr)
  // The decoder is large, and loaded with the first picture.
  const { makeThumbnail } = await import('./picture.ts')
  return { addr: owned, base64data, thumbnail: await makeThumbnail(base64data) }
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
