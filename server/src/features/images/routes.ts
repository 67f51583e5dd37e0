import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { images, NewImage } from '@parley/sdk/contract/images.ts'
import { requireNoTakedown } from '../../auth/standing.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { deleteUnseen, findUnseen } from '../../messages/unseen.ts'
import type { Wallet } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { JsonList, pageOf } from '../../db/pages.ts'
import { type Who, whoSends } from '../../limits/concurrency.ts'
import type { Publishing } from '../../auth/publishing.ts'
import { type Handlers, twoSteps } from '../../http/endpoint.ts'
import { deletePicture, writePicture } from './bytes.ts'
import { drawPicture } from './picture.ts'
import type { Picture } from './store.ts'
import * as store from './store.ts'

const upload = twoSteps<typeof images.createImage, Counted>(
  makePicture,
  async (ctx, request, picture) => new JsonList([pageOf([await storePicture(ctx, request, picture)])]),
  takeBack,
)

export const handlers: Handlers<typeof images> = {
  createImage: upload,

  updateImage: twoSteps<typeof images.updateImage, Counted>(
    makePicture,
    async (ctx, request, picture) => {
      const { id, addr } = await storePicture(ctx, request, picture)
      return [{ id, walletaddr: request.caller.address, nftaddr: addr, chain: '' }]
    },
    takeBack,
  ),

  createProfilePicture: upload,

  async deleteImage(ctx, { caller, params: { addr } }) {
    requireNoTakedown(ctx.standing, chatKey(addr))
    const owned = await requireOwned(ctx.db, caller, addr)
    await store.deleteImage(ctx.db, owned)
    await deleteUnseen(ctx, caller.address, 'picture', owned)
  },

  async getImage(ctx, { caller, params: { addr } }) {
    const own = await findOwnUnseen(ctx, caller, addr)
    if (!own) return store.findImages(ctx, addr)
    const { id, subject, base64data } = own
    return new JsonList([pageOf([{ id, addr: subject, base64data }])])
  },

  async getPicture(ctx, { caller, params: { addr } }) {
    const own = await findOwnUnseen(ctx, caller, addr)
    return own ? [{ id: own.id, addr: own.subject, base64data: own.shown }] : store.findShown(ctx.db, addr)
  },
}

/** Returns the picture that a reader who is muted unseen has set for an address. */
async function findOwnUnseen(ctx: Context, { address }: Wallet, addr: string) {
  requireNoTakedown(ctx.standing, chatKey(addr))
  const subject = addr === address ? addr : addr.toLowerCase()
  const own = await findUnseen(ctx, address, 'picture', subject)
  return own && { ...own, subject }
}

interface Upload {
  caller: Wallet
  body: NewImage
  http: { request: { who: Who | null } }
}

interface Counted extends Picture {
  /** Gives back what the picture has used of the limit of bytes. */
  giveBack: () => void
}

/**
 * Counts the bytes of a picture before it is decoded, so that one beyond the limit costs nothing. When it is drawn, its bytes are
 * stored, before its row and outside of a transaction.
 */
async function makePicture(
  { db, config, fileStore, standing, pictureLimits }: Context,
  { caller, body, http }: Upload,
): Promise<Counted> {
  const { addr, base64data } = body
  requireNoTakedown(standing, chatKey(addr))
  const owned = await requireOwned(db, caller, addr)
  const who = whoSends(http.request.who, caller)
  const giveBack = pictureLimits.take(http.request.who, base64data.length)
  return orElse(giveBack, async () => {
    const { bytes, ...drawn } = await drawPicture(config, who, base64data)
    const stored = await writePicture(fileStore, owned, bytes)
    return { addr: owned, base64data, ...drawn, ...stored, giveBack }
  })
}

async function storePicture(
  ctx: Context,
  request: Pick<Upload, 'caller'> & { publishing: Publishing },
  picture: Counted,
) {
  // The right to publish is checked here, after the picture was drawn.
  const { publishing, caller } = request
  const { image, isFileNeeded } = await store.upsertImage(ctx.db, publishing, caller.address, picture)
  if (!isFileNeeded) await deletePicture(ctx, picture)
  return image
}

/** Takes back a picture that was made and not stored: what it has used of the limit, and its bytes. */
async function takeBack(ctx: Context, picture: Counted, error?: unknown): Promise<void> {
  picture.giveBack()
  await deletePicture(ctx, picture, error)
}

/** Does some work, and undoes what came before it when it fails. */
async function orElse<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    undo()
    throw error
  }
}

/** A wallet's picture is its own, a community's its creator's. Returns the address under which pictures are stored. */
async function requireOwned(db: Context['db'], caller: Wallet, addr: string): Promise<string> {
  const slug = addr.toLowerCase()
  // This query runs also when the picture is the wallet's own: nothing is decoded while the database is away.
  const creator = await store.findCreator(db, slug)
  if (addr === caller.address) return addr
  if (creator === caller.address) return slug
  throw new ApiError(
    'forbidden',
    `Only ${addr} itself may change its picture, or who created the community of that name. You are signed in as ${caller.address}`,
  )
}
