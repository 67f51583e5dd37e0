import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { images, NewImage } from '@parley/sdk/contract/images.ts'
import { requireNoTakedown } from '../../auth/standing.ts'
import { chatKey } from '../../messages/chat-key.ts'
import type { Wallet } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import type { Who } from '../../limits/at-once.ts'
import { type Handlers, twoSteps } from '../../http/endpoint.ts'
import { drawPicture } from './picture.ts'
import * as store from './store.ts'

const upload = twoSteps<typeof images.createImage, Awaited<ReturnType<typeof makePicture>>>(
  makePicture,
  async ({ db }, _request, picture) => [await store.upsertImage(db, picture)],
)

export const handlers: Handlers<typeof images> = {
  createImage: upload,

  async updateImage(ctx, request) {
    const { caller } = request
    const { id, addr } = await store.upsertImage(ctx.db, await makePicture(ctx, request))
    return [{ id, walletaddr: caller.address, nftaddr: addr, chain: '' }]
  },

  createProfilePicture: upload,

  async deleteImage({ db, standing }, { caller, params: { addr } }) {
    requireNoTakedown(standing, chatKey(addr))
    await store.deleteImage(db, await requireOwned(db, caller, addr))
  },

  async getImage({ db, standing }, { params: { addr } }) {
    requireNoTakedown(standing, chatKey(addr))
    return store.findImages(db, addr, 'base64data')
  },

  async getPicture({ db, standing }, { params: { addr } }) {
    requireNoTakedown(standing, chatKey(addr))
    return store.findImages(db, addr, 'shown')
  },
}

interface Upload {
  caller: Wallet
  body: NewImage
  http: { request: { who: Who | null } }
}

async function makePicture({ db, config, standing }: Context, { caller, body, http }: Upload) {
  const { addr, base64data } = body
  requireNoTakedown(standing, chatKey(addr))
  const owned = await requireOwned(db, caller, addr)
  // Without limits nobody is counted by network address.
  const who = http.request.who ?? { caller: caller.address, network: caller.address }
  return { addr: owned, base64data, ...(await drawPicture(config, who, base64data)) }
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
