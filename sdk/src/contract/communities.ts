import { type Static, Type } from 'typebox'
import { told } from './directory.ts'
import { endpoints } from './endpoint.ts'
import { Address, Enter, Logo, Made, previewBytes, single, Text } from './fields.ts'
import { GroupChatItem } from './group-chats.ts'

const text = (maxLength: number, description: string, example: string) =>
  Made(maxLength, description, [example])

/** The maximum number of names on other networks that a community has. */
const mostSocial = 32
/**
 * These limit the posts on X that are shown, the bytes of each text, the media of each post, and the length of a picture's URL.
 */
export const mostTweets = 10
export const tweetBytes = 1024
export const mostMedia = 4
export const mostPictureUrl = 300

/** A community and its names on other networks. */
export const Community = Type.Object(
  {
    community: Type.String({
      ...Address,
      description:
        'the name of the community: 1-128 printable characters without white space and none of / \\ ? # %, not shaped like an address or a URL, not reserved, not ending like a name of a chain',
      examples: ['gardeners'],
    }),
    social: Type.Optional(
      Type.Array(
        Type.Object({
          name: Text(256, 'the name there', {
            minLength: 1,
            invisible: 'refused',
            examples: ['parley_chat'],
          }),
          type: Text(64, 'the network', { minLength: 1, invisible: 'refused', examples: ['twitter'] }),
        }),
        {
          maxItems: mostSocial,
          description: `a list of at most ${mostSocial} {name, type}`,
          examples: [[{ name: 'parley_chat', type: 'twitter' }]],
        },
      ),
    ),
  },
  { $id: 'Community', description: 'A community and its names on other networks' },
)
export type Community = Static<typeof Community>

const mediaKeys = (what: string) =>
  Type.Object(
    {
      media_keys: Type.Array(text(32, 'key of a medium', '3_1460323737035677698'), {
        maxItems: mostMedia,
        description: 'keys of media',
        examples: [['3_1460323737035677698']],
      }),
    },
    { description: what },
  )

/** A post of a community on X, in the shape of the X API v2. */
export const Tweet = Type.Object(
  {
    id: text(32, 'id of the post', '1460323737035677698'),
    text: Type.String({
      format: 'text',
      'x-max-bytes': tweetBytes,
      description: 'the text, cut after 1 KiB',
      examples: ['gm'],
    }),
    author_id: text(32, 'id of the author', '2244994945'),
    created_at: text(40, 'when it was posted (RFC 3339)', '2026-11-20T18:30:00.000Z'),
    attachments: mediaKeys('what is attached'),
    media: mediaKeys('the attached media'),
    user: Type.Object(
      {
        id: text(32, 'id of the author', '2244994945'),
        name: text(50, 'display name of the author', 'Parley'),
        profile_image_url: text(
          mostPictureUrl,
          'picture of the author',
          'https://pbs.twimg.com/profile_images/1/a.jpg',
        ),
        username: text(50, 'user name of the author', 'parley_chat'),
      },
      { description: 'the author' },
    ),
  },
  { $id: 'Tweet', description: 'A post of a community on X' },
)
export type Tweet = Static<typeof Tweet>

const previewed = Type.Omit(GroupChatItem, [
  'files',
  'reactions',
  'pinned',
  'revision',
  'edited_at',
  'reply_to',
]).properties

const PostPreview = Type.Object(
  {
    ...previewed,
    // The author has signed in, which only addresses of this form can.
    fromaddr: { ...Address, maxLength: 42 },
    message: Type.String({
      ...GroupChatItem.properties.message,
      'x-max-bytes': previewBytes,
      description: 'the message, cut after 4 KiB; empty when it was removed',
    }),
  },
  { $id: 'PostPreview', description: 'A message on a landing page' },
)

/** The landing page of a community, or of a contract whose ownership was checked. */
export const CommunityInfo = Type.Object(
  {
    name: text(128, 'the name', 'parley'),
    logo: Logo('the picture, a small image as base64; empty when there is none'),
    members: Type.Integer({ minimum: 0, description: 'how many wallets have joined', examples: [7] }),
    joined: Type.Boolean({ description: 'whether the wallet has joined', examples: [true] }),
    has_messaged: Type.Boolean({ description: 'whether the wallet has posted', examples: [false] }),
    // Spec gap: who may set its picture.
    is_creator: Type.Optional(
      Type.Literal(true, {
        description: 'present when the wallet has created it, and may change it',
        examples: [true],
      }),
    ),
    is_verified: Type.Boolean({
      description: 'whether it was checked that the wallet holds a token of the contract',
      examples: [false],
    }),
    messages: Type.Array(PostPreview, {
      maxItems: 100,
      description: 'the last 100 messages, oldest first, each cut after 4 KiB',
    }),
    social: Type.Array(
      Type.Object({
        type: Text(64, 'the network', { examples: ['twitter'] }),
        username: Text(256, 'the name there', { examples: ['parley_chat'] }),
      }),
      {
        maxItems: mostSocial,
        description: 'its names on other networks',
        examples: [[{ type: 'twitter', username: 'parley_chat' }]],
      },
    ),
    ...told,
    unlisted: Type.Optional(
      Type.Literal(true, { description: 'present when it is not in the directory', examples: [true] }),
    ),
    tweets: Type.Array(Tweet, { maxItems: mostTweets, description: 'recent posts of the community on X' }),
  },
  { $id: 'CommunityInfo', description: 'The landing page of a community' },
)
export type CommunityInfo = Static<typeof CommunityInfo>

export const communities = endpoints({
  createCommunity: {
    method: 'POST',
    path: '/v1/create_community',
    summary: 'Create a community, or change its names on other networks',
    description:
      'A name belongs to the wallet that creates it first. Names compare without case. A name that looks like that of another community is 409, by the rule of `POST /v1/name`.',
    access: 'wallet',
    publishes: true,
    adds: 'You have already created {most} communities',
    quotas: ['bytes', 'communities'],
    // Spec gap: creating a community has the limit of account changes, because a name is never
    // freed.
    limit: 'account',
    body: Community,
    response: single(Community),
    idempotent: true,
  },
  getCommunity: {
    method: 'GET',
    path: '/v1/community/{community}/{address}',
    summary: 'The landing page of a community; the wallet enters its chat',
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['community'] },
    self: 'address',
    query: Type.Object({ enter: Enter }),
    response: single(CommunityInfo),
  },
})
