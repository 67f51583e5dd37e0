import { type Static, Type } from 'typebox'
import { Made, Timestamp } from './fields.ts'
import { mostConditions } from '../gates/limits.ts'
import { literals } from './literals.ts'
import { Gate, words } from './gate-models.ts'

export const GateTry = Type.Object(
  {
    members: Type.Integer({ minimum: 0, description: 'how many members the chat has', examples: [40] }),
    asked: Type.Integer({
      minimum: 0,
      description: 'how many of them were checked: all of a small chat, else a sample',
      examples: [40],
    }),
    no_read: Type.Integer({
      minimum: 0,
      description: 'how many of those could not read any longer; the owner and moderators always can',
      examples: [12],
    }),
    no_post: Type.Integer({
      minimum: 0,
      description: 'how many of those could not post, with those who could not read',
      examples: [12],
    }),
    unknown: Type.Integer({
      minimum: 0,
      description: 'how many of those could not be checked in time, or because a chain did not answer',
      examples: [0],
    }),
    gate: Gate,
  },
  { $id: 'GateTry', description: 'What a gate would change for members' },
)
export type GateTry = Static<typeof GateTry>

const mostGroups = 2 * mostConditions

const inGroup = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: mostGroups - 1,
      description: `the place in \`groups\`, from 0, of the group that ${what} is in; left out for none`,
      examples: [0],
    }),
  )

const Part = Type.Object(
  {
    words: Made(1000, 'the condition in words', ['at least 100 GARD on Base']),
    met: Type.Optional(
      Type.Boolean({
        description: 'whether the wallet meets it; left out while its chain does not answer',
        examples: [false],
      }),
    ),
    has: Type.Optional(Made(200, 'what the wallet has of it', ['20 GARD'])),
    lacks: Type.Optional(Made(200, 'what is missing', ['80 GARD'])),
    since: Type.Optional({
      ...Timestamp,
      description: 'where it must have been held for some time: since when',
    }),
    least: Type.Optional(
      Made(200, 'the least that the wallet held since then, as far as was read', ['0 GARD']),
    ),
    group: inGroup('the condition'),
  },
  { description: 'a condition' },
)

const Group = Type.Object(
  {
    how: literals(['any', 'all'], 'any: one of what is in it must be met; all: everything in it'),
    met: Type.Optional(
      Type.Boolean({
        description: 'whether the wallet meets it; left out while a chain does not answer',
        examples: [false],
      }),
    ),
    group: inGroup('the group'),
  },
  { description: 'a group of conditions and of other groups' },
)

const side = (what: string) =>
  Type.Object(
    {
      open: Type.Optional(
        Type.Boolean({
          description: `whether the caller may ${what}; left out while that is unknown`,
          examples: [false],
        }),
      ),
      words: words(`what it takes to ${what}`),
      conditions: Type.Array(Part, {
        maxItems: 2 * mostConditions + 1,
        description: 'each condition, with what the caller has; those in no group must all be met',
      }),
      groups: Type.Array(Group, {
        maxItems: mostGroups,
        description:
          'the groups of the conditions, each after the group that it is in; those in no group must all be met',
      }),
    },
    { description: `who may ${what}` },
  )

export const GateStanding = Type.Object(
  {
    role: Type.Boolean({
      description: 'true for the owner and the moderators of the chat, who always get in',
      examples: [false],
    }),
    read: side('read'),
    post: side('post'),
  },
  { $id: 'GateStanding', description: 'What the caller has and lacks for a chat' },
)
export type GateStanding = Static<typeof GateStanding>
