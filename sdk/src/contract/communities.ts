import { type Static, Type } from 'typebox'
import { GroupChatItem } from './group-chats.ts'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const mediaKeys = (description: string) =>
  Type.Object(
    {
      media_keys: Type.Array(text('the key of a picture or video', '3_1460323737035677698'), {
        description,
        examples: [['3_1460323737035677698']],
      }),
    },
    { description },
  )

/** A post of a community's X account. */
export const Tweet = Type.Object(
  {
    id: text('the id of the post', '1460323737035677698'),
    text: text('what it says', 'gm'),
    created_at: text('when it was posted (RFC 3339)', '2026-11-20T18:30:00.000Z'),
    author_id: text('the id of its author', '2244994945'),
    attachments: mediaKeys('what is attached to the post'),
    media: mediaKeys('what of that can be shown'),
    user: Type.Object(
      {
        id: text('the id of the account', '2244994945'),
        name: text('its name', 'Parley'),
        profile_image_url: text('its picture, empty when it has none', 'https://pbs.twimg.com/a.png'),
        username: text('its handle', 'parley'),
      },
      { description: 'the account that posted it' },
    ),
  },
  { $id: 'Tweet', description: "A post of a community's X account" },
)
export type Tweet = Static<typeof Tweet>

/** A community or NFT collection and the caller's part in it: the landing page, and the answer to who is an owner. */
export const CommunityInfo = Type.Object(
  {
    name: text('the name of the community or collection, empty when it has none', 'CryptoPunks'),
    logo: text('its picture as base64, empty when it has none', ''),
    is_verified: Type.Boolean({
      description: 'whether what is said here was confirmed, for an ownership check on the chain',
      examples: [true],
    }),
    joined: Type.Boolean({ description: 'whether the caller has joined the chat', examples: [false] }),
    has_messaged: Type.Boolean({
      description: 'whether the caller has posted in the chat',
      examples: [false],
    }),
    members: Type.Integer({ description: 'how many wallets have joined the chat', examples: [12] }),
    messages: Type.Array(GroupChatItem, { description: 'the newest messages, oldest first', examples: [[]] }),
    social: Type.Array(
      Type.Object({
        type: text('the network', 'twitter'),
        username: text('the account there', 'parley'),
      }),
      { description: 'where else the community is', examples: [[{ type: 'twitter', username: 'parley' }]] },
    ),
    tweets: Type.Array(Tweet, { description: 'the newest posts of its X account', examples: [[]] }),
  },
  { $id: 'CommunityInfo', description: 'A community or NFT collection' },
)
export type CommunityInfo = Static<typeof CommunityInfo>
