import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id } from './fields.ts'

const MiB = 1024 * 1024

/** Bytes a picture may have, decoded. */
export const maxImageBytes = 2 * MiB
/** Pixels a picture may have from side to side, and from top to bottom. */
export const maxImageSide = 4096

// Spec gap: what picture data may be.
const content = {
  addr: Type.String({
    ...Address,
    description: "the caller's address, or the name of a community that the caller has created",
  }),
  base64data: Type.String({
    description:
      'a picture (PNG, JPEG, GIF, WebP or AVIF, at most 2 MiB and 4096×4096 pixels) as base64 with padding, plain or as a data URL such as data:image/png;base64,…',
    examples: [
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ],
  }),
}

/** The picture of a wallet, NFT collection or community. */
export const Image = Type.Object(
  { id: Id, ...content },
  { $id: 'Image', description: 'The picture of a wallet, NFT collection or community' },
)
export type Image = Static<typeof Image>

/** A picture to store. It is answered exactly as it was sent. */
export const NewImage = Type.Object(content, { $id: 'NewImage', description: 'A picture to store' })
export type NewImage = Static<typeof NewImage>

/** What an update of a picture answers: the shape of a bookmark, as the interface has it. */
export const ImageBookmark = Type.Object(
  {
    id: Id,
    walletaddr: Type.String({
      description: 'who stored the picture',
      examples: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
    }),
    nftaddr: Type.String({
      description: 'what it is the picture of',
      examples: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
    }),
    chain: Type.String({ description: 'always empty', examples: [''] }),
  },
  { $id: 'ImageBookmark', description: 'Whose picture was updated by whom' },
)
export type ImageBookmark = Static<typeof ImageBookmark>

const description =
  "A wallet stores its own picture, the creator of a community that community's. Other formats than the five, SVG and HTML among them, are refused."

const upload = {
  access: 'wallet',
  body: NewImage,
  // Spec gap: pictures count as what a wallet sets about itself, because each is decoded.
  limit: 'account',
  // The base64 of the largest picture, with room for the JSON around it.
  maxBody: 3 * MiB,
} as const

export const images = endpoints({
  createImage: {
    ...upload,
    method: 'POST',
    path: '/v1/image',
    summary: 'Store the picture of a wallet or community',
    // Spec gap: a picture that is there already.
    description: `${description} It takes the place of the one that is there.`,
    response: Type.Array(Image),
    idempotent: true,
  },
  updateImage: {
    ...upload,
    method: 'PUT',
    path: '/v1/image',
    summary: 'Update the picture of a wallet or community',
    // Spec gap: a picture that is not there yet.
    description: `${description} It is created when there is none yet.`,
    response: Type.Array(ImageBookmark),
  },
  createProfilePicture: {
    ...upload,
    method: 'POST',
    path: '/v1/imagepfp',
    summary: 'Store a profile picture',
    // Spec gap: how it differs. It does not: an address has one picture.
    description: `${description} An address has one picture, whichever way it was stored.`,
    response: Type.Array(Image),
    idempotent: true,
  },
  getImage: {
    method: 'GET',
    path: '/v1/image/{addr}',
    summary: 'The picture of a wallet, NFT collection or community',
    description: 'An empty list when there is none.',
    access: 'wallet',
    response: Type.Array(Image),
  },
})
