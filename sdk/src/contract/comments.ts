import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import {
  Address,
  Id,
  MessageText,
  Name,
  NewTokenNumber,
  Page,
  single,
  Timestamp,
  TokenNumber,
} from './fields.ts'

const content = {
  fromaddr: Address,
  nftaddr: Address,
  message: MessageText('comment', 'What a hat.'),
}

/** A public comment on an NFT. `nftid` is a bigint from 2^53 on, where a number is not exact. */
export const Comment = Type.Object(
  {
    id: Id,
    ...content,
    nftid: TokenNumber,
    name: Name("the commenter's name, empty when it has none"),
    timestamp: Timestamp,
  },
  { $id: 'Comment', description: 'A public comment on an NFT' },
)
export type Comment = Static<typeof Comment>

// Spec gap: what `name` means in a request. The service answers the wallet's own name, and ignores
// one that is sent.
/**
 * A comment to publish. `id`, `name` and `timestamp` are set by the service, and ignored when sent.
 */
export const NewComment = Type.Object(
  { ...content, nftid: NewTokenNumber },
  { $id: 'NewComment', description: 'A comment to publish' },
)
export type NewComment = Static<typeof NewComment>

const pathNote = 'In the path `nftid` is 0 to 2^256-1 in decimal digits.'

/** Without a sign-in a page of comments has at most this many. */
export const mostCommentsForAnyone = 100

export const comments = endpoints({
  createComment: {
    method: 'POST',
    path: '/v1/create_comments',
    summary: 'Comment on an NFT, in public',
    access: 'wallet',
    scope: 'comments',
    place: { nft: ['nftaddr', 'nftid'] },
    publishes: true,
    quotas: ['bytes', 'comments'],
    self: 'fromaddr',
    body: NewComment,
    response: single(Comment),
    idempotent: true,
  },
  listComments: {
    method: 'GET',
    path: '/v1/get_comments/{nftaddr}/{nftid}',
    summary: 'The comments on an NFT, oldest first',
    description: `${pathNote} They are public: without a token a response has at most ${mostCommentsForAnyone} of them, and \`after\` reads on.`,
    access: 'wallet-or-anyone',
    limit: 'public-read',
    scope: ['public:read', 'comments'],
    place: { nft: ['nftaddr', 'nftid'] },
    query: Page,
    response: Type.Array(Comment),
    pages: true,
  },
  countComments: {
    method: 'GET',
    path: '/v1/get_comments_cnt/{nftaddr}/{nftid}',
    summary: 'How many comments an NFT has',
    description: `${pathNote} Anyone may ask, also without a token.`,
    access: 'wallet-or-anyone',
    limit: 'public-read',
    scope: ['public:read', 'comments'],
    place: { nft: ['nftaddr', 'nftid'] },
    response: Type.Integer({ minimum: 0, description: 'How many', examples: [3] }),
  },
  deleteComments: {
    method: 'DELETE',
    path: '/v1/delete_comments/{fromaddr}/{nftaddr}/{nftid}',
    summary: "Delete all of the caller's comments on an NFT",
    description: pathNote,
    access: 'wallet',
    self: 'fromaddr',
  },
})
