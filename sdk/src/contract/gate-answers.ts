import { type Static, Type } from 'typebox'
import { Made, Timestamp } from './fields.ts'
import { Gate, mostConditions, words } from './gate-models.ts'

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
  },
  { description: 'a condition' },
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
        description: 'each condition, with what the caller has',
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
