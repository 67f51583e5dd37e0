import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Logo, Made, Text } from './fields.ts'
import { literals } from './literals.ts'
import { TeamLabel } from './official.ts'

/** A description has at most this many bytes, a tag this many characters, and a community this many tags. */
export const mostAboutBytes = 600
export const longestTag = 32
export const mostTags = 5
/** Longer words of what one needs are cut there. */
export const mostNeeds = 300

const tags = (description: string) =>
  Type.Array(Made(longestTag, 'a tag: words in lower case, with hyphens between them', ['defi']), {
    maxItems: mostTags,
    description,
    examples: [['gardening']],
  })

/** What the owner of a community and the operator of the service say about it. */
export const told = {
  about: Type.Optional(
    Type.String({
      format: 'text',
      'x-max-bytes': mostAboutBytes,
      description: 'what it is about, in words of its owner; left out when there are none',
      examples: ['We grow vegetables on roofs.'],
    }),
  ),
  tags: Type.Optional(tags('its tags, in the order of its owner; left out when there are none')),
  official: Type.Optional({
    ...TeamLabel,
    description: 'present when its owner is on the team of the service: what that wallet does for it',
  }),
}

/** A community in the directory. */
export const CommunityEntry = Type.Object(
  {
    community: Made(128, 'the name of the community', ['gardeners']),
    logo: Logo('the picture, a small image as a data URL; empty when there is none'),
    members: Type.Integer({ minimum: 0, description: 'how many wallets have joined', examples: [7] }),
    joined: Type.Boolean({ description: 'whether the caller has joined', examples: [false] }),
    timestamp: Made(
      40,
      'when the last message was posted: RFC 3339, UTC, milliseconds; empty when there is none, or when the wallet may not read it',
      ['2026-11-20T18:30:00.123Z'],
    ),
    ...told,
    active: Type.Optional(
      Type.Integer({
        minimum: 10,
        description:
          'about how many members have opened it in the last seven days, rounded down to 10, 20, 50, 100 and so on; counted once a day, and left out where they are few',
        examples: [20],
      }),
    ),
    to_read: Type.Optional(
      Made(
        mostNeeds,
        'what a wallet needs to read its chat, in words; left out when every wallet that has signed in may',
        ['at least 100 GARD on Base'],
      ),
    ),
    to_post: Type.Optional(
      Made(mostNeeds, 'what it needs besides to post there; left out for nothing', [
        'at least 100 GARD on Base',
      ]),
    ),
    is_public: Type.Optional(
      Type.Literal(true, {
        description: 'present when anyone reads its chat on a page, without signing in',
        examples: [true],
      }),
    ),
    featured: Type.Optional(
      Type.Literal(true, {
        description: 'present when the operator of the service recommends it',
        examples: [true],
      }),
    ),
  },
  { $id: 'CommunityEntry', description: 'A community in the directory' },
)
export type CommunityEntry = Static<typeof CommunityEntry>

export const CommunityAbout = Type.Object(
  {
    about: Text(mostAboutBytes, 'what the community is about; empty for nothing', {
      invisible: 'refused',
      examples: ['We grow vegetables on roofs.'],
    }),
    tags: Type.Array(
      Text(4 * longestTag, `a tag of up to ${longestTag} letters and digits; other characters part words`, {
        minLength: 1,
        invisible: 'refused',
        examples: ['Gardening'],
      }),
      { maxItems: mostTags, description: `a list of at most ${mostTags} tags`, examples: [['Gardening']] },
    ),
    listed: Type.Boolean({
      description: 'false: it is not in the directory, and others reach it by its name',
      examples: [true],
    }),
  },
  { $id: 'CommunityAbout', description: 'What the owner of a community says about it' },
)
export type CommunityAbout = Static<typeof CommunityAbout>

// Spec gap: the interface has no way to find a community.
export const directory = endpoints({
  listCommunities: {
    method: 'GET',
    path: '/v1/communities',
    summary: 'The communities of this service',
    description:
      'Those that somebody has joined, the largest first. With `prefix` all whose names begin with it, in the order of their names. With `sort`, `words` or `tag`: `active`, which is the default then, has those first that the operator recommends; communities without members, and those with fewer than 25 members of a wallet that has created more than five, come last. These orders follow changes within an hour. A community that its owner has taken out of the directory is only found by `prefix`, by its members. A name that the rule for names would refuse today is left out.',
    access: 'wallet',
    scope: 'public:read',
    query: Type.Object({
      prefix: Type.Optional(
        Text(128, 'how the names begin, in any case', { invisible: 'allowed', examples: ['gard'] }),
      ),
      sort: Type.Optional(
        literals(
          ['active', 'members', 'new'],
          'the order: members active in the last week, members, or the newest first; not together with `prefix`',
        ),
      ),
      words: Type.Optional(
        Text(256, 'words of the name, the description and the tags, in any order; the last one may go on', {
          invisible: 'allowed',
          examples: ['roof veget'],
        }),
      ),
      tag: Type.Optional(
        Text(4 * longestTag, 'a tag that they have', { invisible: 'allowed', examples: ['gardening'] }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'how many at most: 1 to 100; 50 when left out',
          examples: [50],
        }),
      ),
      after: Type.Optional(
        Type.String({
          ...Address,
          description: 'only those after this one: the name of the last one you have',
          examples: ['gardeners'],
        }),
      ),
    }),
    response: Type.Array(CommunityEntry),
    pages: true,
  },
  setCommunityAbout: {
    method: 'PUT',
    path: '/v1/communities/{community}/about',
    summary: 'Say what a community is about, and whether the directory has it',
    description:
      'For its owner: others are 403. Tags are brought to one form: `Roof Gardens` becomes `roof-gardens`. White space at the ends of the text, and empty lines beyond one, are left out. A text or a tag that says that the community is of the team of the service is 403. The log of the chat has an entry.',
    access: 'wallet',
    publishes: true,
    quotas: ['bytes'],
    body: CommunityAbout,
    response: CommunityAbout,
  },
})
