import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, single } from './fields.ts'

const MiB = 1024 * 1024

/** The maximum bytes of a picture, decoded. */
export const maxImageBytes = 2 * MiB
/** The maximum bytes of a picture's metadata: texts, EXIF, XMP, a colour profile. */
export const maxImageMetadata = 64 * 1024
/** The maximum width and height of a picture in pixels. */
export const maxImageSide = 4096

// Spec gap: what picture data may be.
const content = {
  addr: Type.String({
    ...Address,
    description: "the caller's address, or the name of a community that the caller has created",
  }),
  base64data: Type.String({
    format: 'text',
    'x-invisible': 'allowed',
    description:
      'a picture (PNG, JPEG, GIF, WebP or AVIF, at most 2 MiB, 4096×4096 pixels and 64 KiB of metadata) as base64 with padding, plain or as a data URL such as data:image/png;base64,…',
    examples: [
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ],
  }),
}

/** The maximum characters of a picture in a response: base64, and what a data URL has before it. */
const imageLength = Math.ceil(maxImageBytes / 3) * 4 + 64
/** Characters of a picture that the service has drawn: a WebP of 24 KiB. */
export const shownLength = 32 * 1024 + 64

/** The picture of a wallet, NFT collection or community. */
export const Image = Type.Object(
  {
    id: Id,
    ...content,
    base64data: Type.String({
      ...content.base64data,
      maxLength: imageLength,
      contentEncoding: 'base64',
    }),
  },
  { $id: 'Image', description: 'The picture of a wallet, NFT collection or community' },
)
export type Image = Static<typeof Image>

const ShownImage = Type.Object(
  { ...Image.properties, base64data: Type.String({ ...content.base64data, maxLength: shownLength }) },
  { $id: 'ShownImage', description: 'The picture of a wallet, NFT collection or community, to show it' },
)

/** A picture to store. Responses return it exactly as it was sent. */
export const NewImage = Type.Object(content, { $id: 'NewImage', description: 'A picture to store' })
export type NewImage = Static<typeof NewImage>

/** The response to an update of a picture: it has the fields of a bookmark, as the interface says. */
export const ImageBookmark = Type.Object(
  {
    id: Id,
    walletaddr: Type.String({ ...Address, description: 'who stored the picture' }),
    nftaddr: Type.String({ ...Address, description: 'the address whose picture it is' }),
    chain: Type.Literal('', { description: 'always empty', examples: [''] }),
  },
  { $id: 'ImageBookmark', description: 'Whose picture was updated, and by whom' },
)
export type ImageBookmark = Static<typeof ImageBookmark>

const description =
  'A wallet stores its own picture; the creator of a community stores that of the community. Other formats, such as SVG, are refused.'

const upload = {
  access: 'wallet',
  scope: 'profile:write',
  publishes: true,
  body: NewImage,
  // Spec gap: pictures have the limit of account changes, because each is decoded.
  limit: 'account',
  quotas: ['bytes', 'pictures'],
  // The base64 of the largest picture, with room for the JSON around it.
  maxBody: 3 * MiB,
} as const

export const images = endpoints({
  createImage: {
    ...upload,
    method: 'POST',
    path: '/v1/image',
    summary: 'Store the picture of a wallet or community',
    // Spec gap: what happens to an earlier picture.
    description: `${description} It replaces an earlier one.`,
    response: Type.Array(Image),
    pages: true,
    idempotent: true,
  },
  updateImage: {
    ...upload,
    method: 'PUT',
    path: '/v1/image',
    summary: 'Update the picture of a wallet or community',
    // Spec gap: what happens when there is no picture yet.
    description: `${description} When there is none yet, it is created.`,
    response: single(ImageBookmark),
  },
  createProfilePicture: {
    ...upload,
    method: 'POST',
    path: '/v1/imagepfp',
    summary: 'Store a profile picture',
    // Spec gap: how this differs from `POST /v1/image`. It does not.
    description: `${description} The same as \`POST /v1/image\`: an address has one picture.`,
    response: Type.Array(Image),
    pages: true,
    idempotent: true,
  },
  // Spec gap: the interface has no way to delete a picture.
  deleteImage: {
    method: 'DELETE',
    path: '/v1/image/{addr}',
    summary: 'Delete the picture of a wallet or community',
    description:
      'A wallet deletes its own picture; the creator of a community deletes that of the community. Also 204 when there was none.',
    access: 'wallet',
    scope: 'profile:write',
    limit: 'account',
  },
  getImage: {
    method: 'GET',
    path: '/v1/image/{addr}',
    summary: 'The picture of a wallet, NFT collection or community',
    description:
      'Exactly as it was sent, with its metadata. An empty list when there is none. Pages better show `GET /v1/picture/{addr}`.',
    access: 'wallet',
    scope: 'public:read',
    limit: 'picture',
    response: Type.Array(Image),
    pages: true,
  },
  // Spec gap: the interface has only pictures as they were sent.
  getPicture: {
    method: 'GET',
    path: '/v1/picture/{addr}',
    summary:
      'The picture of a wallet, NFT collection or community, drawn again by the service and safe to show',
    description:
      'A WebP of at most 256×256 pixels and 32 KiB as a data URL, without metadata or animation. An empty list when there is none.',
    access: 'wallet',
    scope: 'public:read',
    limit: 'picture',
    response: single(ShownImage),
  },
})
