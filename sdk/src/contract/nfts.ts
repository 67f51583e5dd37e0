import { type Static, Type } from 'typebox'
import { DmPolicy } from './dm-policy.ts'
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

/** Who owns a token, for a page that lets its visitors write to them. */
export const NftOwner = Type.Object(
  {
    owner: Type.String({
      ...Address,
      description: 'who owns the token, a minute ago at most',
      examples: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
    }),
    is_contract: Type.Boolean({
      description:
        'whether the owner is a contract, such as a marketplace with which the token is deposited: then nobody may read what is written to it, except where it is a smart wallet',
      examples: [false],
    }),
    accepts: Type.Index(DmPolicy, ['who'], {
      description:
        'from whom the owner takes direct messages: everyone; requests: a few messages of a stranger; holders of a token, and whom it has accepted; contacts: only these',
      examples: ['everyone'],
    }),
  },
  { $id: 'NftOwner', description: 'Who owns a token, and whether they take messages' },
)
export type NftOwner = Static<typeof NftOwner>

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
  getNftOwner: {
    method: 'GET',
    path: '/v1/nft_owner/{nftaddr}/{nftid}',
    summary: 'Who owns a token, and whether they take messages',
    description:
      'For pages without a token of a sign-in. An empty list where nobody is named: of ERC-1155 several may own a part, and a token may be burnt. Without `chain` it is the chain on which the service knows the contract. `EMBED_CONTRACTS` restricts it to some contracts: others are 403. Lookups count by network address, 429; 502 when a chain does not answer. What it says is a minute old at most.',
    access: 'public',
    limit: 'public-count',
    query: Type.Object({
      chain: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'the id of the chain on which the contract is: one that the service asks',
          examples: [1],
        }),
      ),
    }),
    response: single(NftOwner),
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
