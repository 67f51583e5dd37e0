import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { shownLength } from './images.ts'
import { Address, Made, single, TokenId } from './fields.ts'

const token = {
  nftaddr: Type.String({ ...Address, description: 'the contract of the token' }),
  nftid: Type.String({ ...TokenId, description: 'the id of the token' }),
}

/** A token as its contract and its metadata describe it. Anybody may write both. */
export const Nft = Type.Object(
  {
    ...token,
    chain: Made(16, 'id of the chain that the contract is on', ['1']),
    collection: Made(100, 'name of the contract, at most 100 characters; empty when it has none', [
      'Fine Hats',
    ]),
    name: Made(100, 'name of the token by its metadata, at most 100 characters; empty when it has none', [
      'Fine Hat #721',
    ]),
    owner: Type.String({
      ...Address,
      description:
        'who owns the token, a minute ago at most; empty for tokens of which several may own a part',
      examples: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
    }),
    owned_by_contract: Type.Optional(
      Type.Literal(true, {
        description: 'present when the owner is a contract itself, such as a marketplace or a smart wallet',
        examples: [true],
      }),
    ),
  },
  { $id: 'Nft', description: 'A token as its contract and its metadata describe it' },
)
export type Nft = Static<typeof Nft>

/** The picture of a token, drawn by the service. */
export const NftPicture = Type.Object(
  {
    ...token,
    base64data: Made(shownLength, 'a WebP of at most 256×256 pixels and 32 KiB as a data URL', [
      'data:image/webp;base64,UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAUAmJaQAA3AA/v02aAA=',
    ]),
  },
  { $id: 'NftPicture', description: 'The picture of a token, drawn by the service' },
)
export type NftPicture = Static<typeof NftPicture>

// Spec gap: the interface has NFTs as addresses and ids alone.
export const nfts = endpoints({
  getNft: {
    method: 'GET',
    path: '/v1/nft/{nftaddr}/{nftid}',
    summary: 'What a token is: its collection, name and owner',
    description:
      'Read from the chains that the service is connected to, and from the metadata that the contract names; the answer may be an hour old. ' +
      'An empty list when none of them knows the contract. 502 when a chain does not answer.',
    access: 'wallet',
    scope: 'public:read',
    response: single(Nft),
  },
  getNftPicture: {
    method: 'GET',
    path: '/v1/nft_picture/{nftaddr}/{nftid}',
    summary: 'The picture of a token, drawn again by the service and safe to show',
    description:
      'Fetched and drawn by the service, without metadata or animation. An empty list when there is none, when it is no PNG, JPEG, GIF, WebP, AVIF or SVG picture, and when it could not be fetched.',
    access: 'wallet',
    scope: 'public:read',
    limit: 'picture',
    response: single(NftPicture),
  },
})
