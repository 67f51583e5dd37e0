import { described } from '@parley/sdk/contract/described-file.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { files, type NewFile } from '@parley/sdk/contract/files.ts'
import type { Context } from '../../context.ts'
import { requireRoom } from '../../files/disk.ts'
import { bucketOfFile } from '../../files/ids.ts'
import type { Wallet } from '../../auth/tokens.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { requireScope } from '../../http/scopes.ts'
import { badRequest } from '../../http/validation.ts'
import { mebibyte } from '../../lib/amounts.ts'
import { newId } from '../../lib/ids.ts'
import { isBlockedFile } from '../../messages/blocked-files.ts'
import { requirePosting } from '../../messages/post-message.ts'
import { chatBucket, placeOf } from '../../values/bucket.ts'
import { inspect } from './inspect.ts'
import { noSuchFile, requireReading } from './reading.ts'
import { lengthOfPart, receive } from './receive.ts'
import { enqueueScan, isNotTaken, notTaken, requireScanned, scanNow } from './scan.ts'
import { missing, serveFile } from './serve.ts'
import * as store from './store.ts'

export const handlers: Handlers<typeof files> = {
  async createFile(ctx, { caller: { address: wallet }, body, full, http }) {
    const { fileSize, filesOfWallet } = ctx.config
    if (fileSize === 0) throw new ApiError('forbidden', 'This service takes no files.')
    if (body.size > fileSize * mebibyte)
      throw new ApiError('payload_too_large', `A file may have ${fileSize} MiB at most here.`)
    const description = descriptionOf(body)
    const place = await requirePlaceFor(ctx, wallet, body)
    await requireRoom(ctx.fileStore)
    const row = {
      place,
      wallet,
      size: body.size,
      sha256: body.sha256,
      name: body.name,
      sealed: body.sealed ?? false,
      described: description,
    }
    const most = filesOfWallet * mebibyte
    return ctx.quotas.chargeCopies(
      http.request.who,
      body.size,
      async () => {
        const file = await store.insertFile(ctx.db, row, most)
        if (!file) throw full(filesOfWallet, 'Delete messages with files first; that counts within minutes.')
        return [store.stateOf(file)]
      },
      () => true,
    )
  },

  async putFilePart(ctx, { caller, params: { file: id }, query: { offset = 0 }, http }) {
    const { db, fileStore } = ctx
    const file = await requireOwn(ctx, caller, id)
    if (file.have !== offset || offset === file.size) throw otherOffset(file)
    const length = lengthOfPart(http.request, file.size, offset)
    await requireRoom(fileStore)
    const part = newId()
    await fileStore.write(id, part, receive(http, length), length)
    const stored = {
      ...file,
      parts: file.parts.concat(part),
      part_ends: file.part_ends.concat(offset + length),
    }
    const isLast = offset + length === file.size
    const found = isLast ? await inspect(fileStore, stored).catch(missing) : undefined
    if (found && found.sha256 !== file.sha256) {
      await store.forgetLoose(db, bucketOfFile(id), [id], { wallet: caller.address })
      throw badRequest([
        {
          pointer: '/body',
          detail: `must have, with the parts before, the SHA-256 ${file.sha256}: it has ${found.sha256}, and the file is deleted`,
        },
      ])
    }
    const isScanned = !found || file.sealed || (await requireTaken(ctx, stored))
    const type = file.sealed ? undefined : found?.type
    const added = await store.addPart(db, file, { part, length, type, unscanned: !isScanned })
    if (added && !isScanned) await enqueueScan(db, id)
    if (added) return [store.stateOf(added)]
    // After a failure of the database nobody knows whether the part counts; then it stays until it is swept.
    await fileStore.deletePart(id, part)
    throw otherOffset(await requireOwn(ctx, caller, id))
  },

  async getFileState(ctx, { caller, params: { file: id } }) {
    return [store.stateOf(await requireOwn(ctx, caller, id))]
  },

  async deleteFile(ctx, { caller, params: { file: id } }) {
    await requireOwn(ctx, caller, id)
    const own = { wallet: caller.address }
    if ((await store.forgetLoose(ctx.db, bucketOfFile(id), [id], own)) > 0) return
    throw new ApiError('conflict', 'A message has this file: it is deleted with the message.')
  },

  async getFile(ctx, { caller, params: { file: id }, http }) {
    const file = await store.getFile(ctx.db, id)
    if (!file || file.have < file.size || file.blocked !== null) throw noSuchFile()
    await requireReading(ctx, caller, file)
    requireScanned(ctx, caller.address, file)
    return serveFile(ctx.fileStore, file, http)
  },
}

const describing = Object.keys(described) as (keyof store.Description)[]

/** Returns how the uploader describes a file; throws where a sealed one has a description. */
function descriptionOf(body: NewFile): store.Description | undefined {
  const given = (member: keyof NewFile) => body[member] !== undefined
  const members = describing.filter(given)
  const unfit = (['name', ...members] as const).filter(given)
  if (body.sealed && unfit.length > 0)
    throw badRequest(
      unfit.map((member) => ({ pointer: `/body/${member}`, detail: 'must be left out of a sealed file' })),
    )
  if (given('width') !== given('height'))
    throw badRequest([
      {
        pointer: given('width') ? '/body/height' : '/body/width',
        detail: 'is required: give both width and height, or none',
      },
    ])
  if (members.length === 0) return undefined
  return Object.fromEntries(members.map((member) => [member, body[member]]))
}

/** Returns the place for which a wallet makes a file, or throws where it may not post in that chat now. */
async function requirePlaceFor(
  ctx: Context,
  wallet: string,
  { toaddr, nftaddr }: NewFile,
): Promise<{ bucket: number; place: string }> {
  if ((toaddr === undefined) === (nftaddr === undefined))
    throw badRequest([
      {
        pointer: '/body/toaddr',
        detail: 'is required, or else nftaddr: one of them says where the file is sent',
      },
    ])
  if (toaddr !== undefined) return placeOf(wallet, toaddr)
  const { chat } = await requirePosting(ctx, { fromaddr: wallet, nftaddr: nftaddr!, message: '' })
  return { bucket: chatBucket(chat.chat), place: chat.chat }
}

/**
 * Throws 403, and deletes a file, whose hash an operator has blocked or in which the scanner has found something; returns false where
 * it was not scanned. This comes where a wrong hash is refused too, so nothing says sooner what is blocked here.
 */
async function requireTaken(ctx: Context, file: store.FileRow): Promise<boolean> {
  const { db } = ctx
  try {
    if (await isBlockedFile(db, file.sha256)) throw notTaken()
    return await scanNow(ctx, file, file.sha256)
  } catch (error) {
    if (isNotTaken(error))
      await store.forgetLoose(db, bucketOfFile(file.id), [file.id], { wallet: file.walletaddr })
    throw error
  }
}

/**
 * Returns a file that the caller uploads, or throws the same error as for none. A caller with scopes needs what it needs to make a file for
 * the same place.
 */
async function requireOwn({ db }: Context, caller: Wallet, id: string): Promise<store.FileRow> {
  const { address, scopes } = caller
  const file = await store.getFile(db, id)
  if (file?.walletaddr !== address || (file.blocked !== null && file.have === file.size)) throw noSuchFile()
  if (scopes) {
    // A place is two addresses, or the key of a chat, which has no space.
    const [one, other] = file.place.split(' ')
    const body = other === undefined ? { nftaddr: one } : { toaddr: one === address ? other : one }
    requireScope(files.createFile, caller, { params: {}, body })
  }
  return file
}

const otherOffset = (file: store.FileRow) =>
  new ApiError(
    'conflict',
    file.have === file.size
      ? 'All bytes of this file are stored already.'
      : `The next part of this file begins at the offset ${file.have}.`,
    { current: store.stateOf(file) },
  )
