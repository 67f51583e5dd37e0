import { type Static, type TSchema, Type } from 'typebox'
import { deepestGroup, mostConditions } from '../gates/limits.ts'
import { Address, ChainId, Made } from './fields.ts'

/** A rule names at most this many token ids and this many wallets, and has at most this many bytes as JSON. */
export const mostRuleIds = 50
export const mostRuleWallets = 200
export const longestRule = 16 * 1024
/** A token may have to be held for at most this many hours. */
export const longestHold = 365 * 24

export const tokenStandards = ['erc20', 'erc721', 'erc1155'] as const
export type TokenStandard = (typeof tokenStandards)[number]

/** A rule is one condition, or a group of rules. */
export interface NewGateRule {
  any?: NewGateRule[]
  all?: NewGateRule[]
  not?: NewGateRule
  wallets?: string[]
  chain?: number
  contract?: string
  standard?: TokenStandard
  min?: string
  ids?: string[]
  held_hours?: number
}

/** A stored rule has what its contracts say of themselves. */
export interface GateRule extends NewGateRule {
  any?: GateRule[]
  all?: GateRule[]
  not?: GateRule
  listed?: number
  symbol?: string
  name?: string
  decimals?: number
}

const condition = {
  chain: Type.Optional({
    ...ChainId,
    description:
      'of a token: the id of the chain that its contract is on, one that the service is connected to',
  }),
  contract: Type.Optional(
    Type.String({
      ...Address,
      description: 'of a token: its contract, 0x and 40 hexadecimal digits',
      examples: ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
    }),
  ),
  standard: Type.Optional(
    Type.Union(
      tokenStandards.map((name) => Type.Literal(name)),
      { description: 'of a token: erc20, erc721 or erc1155', examples: ['erc20'] },
    ),
  ),
  min: Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,59})(\\.[0-9]{1,36})?$',
      maxLength: 97,
      description:
        'of a token: how much a wallet must hold at least, in units of the token as people write them, such as "100" or "0.5"',
      examples: ['100'],
    }),
  ),
  ids: Type.Optional(
    Type.Array(
      Type.String({
        format: 'uint256',
        description: 'a token id as decimal digits',
        examples: ['721'],
      }),
      {
        minItems: 1,
        maxItems: mostRuleIds,
        description: `of erc721 and erc1155: only tokens with these ids count, at most ${mostRuleIds} in a rule; left out, any does`,
        examples: [['721']],
      },
    ),
  ),
  held_hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: longestHold,
      description:
        'of a token: for how many hours a wallet must have held it, by the blocks of five moments of that time, of which nobody knows four before; left out, what it holds now counts alone',
      examples: [72],
    }),
  ),
}

const bounded = { 'x-max-bytes': longestRule }

const wallets = (atLeast: number) =>
  Type.Optional(
    Type.Array(Address, {
      minItems: atLeast,
      maxItems: mostRuleWallets,
      ...(atLeast === 0 && bounded),
      description: `in place of a token: the wallets that meet it, at most ${mostRuleWallets} in a rule`,
      examples: [['0xd8da6bf26964af9d7eed9e03e53415d37aa96045']],
    }),
  )

const newCondition = { ...condition, wallets: wallets(1) }
const storedCondition = {
  ...condition,
  wallets: wallets(0),
  listed: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: mostRuleWallets,
      description:
        'how many wallets the list has: the owner and the moderators of the chat get them in `wallets`, others only themselves',
      examples: [3],
    }),
  ),
  symbol: Type.Optional(Made(100, 'what the contract says is its symbol; it may be empty', ['GARD'])),
  name: Type.Optional(Made(100, 'what the contract says is its name; it may be empty', ['Garden'])),
  decimals: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 36,
      description:
        'of erc20: the decimals that the contract had when the rule was set, by which `min` counts',
      examples: [18],
    }),
  ),
}

/** Nests groups to the deepest level. Whatever else a rule says is checked by the service as a whole. */
function fieldsOf(fields: Record<string, TSchema>, levels: number): Record<string, TSchema> {
  if (levels === 0) return fields
  const inner = fieldsOf(fields, levels - 1)
  const group = (description: string) =>
    Type.Optional(
      Type.Array(Type.Object(inner, { description: 'a rule' }), {
        minItems: 1,
        maxItems: mostConditions,
        // The service bounds a rule of a request as a whole.
        ...(fields === storedCondition && bounded),
        description,
        examples: [[{ wallets: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'] }]],
      }),
    )
  return {
    ...fields,
    any: group('rules of which at least one must be met'),
    all: group('rules that must all be met'),
    not: Type.Optional(Type.Object(inner, { description: 'a rule that must not be met' })),
  }
}

const newFields = fieldsOf(newCondition, deepestGroup)
const storedFields = fieldsOf(storedCondition, deepestGroup)

const about = `either a token (chain, contract, standard, min and perhaps ids and held_hours), or wallets, or one of any, all and not; at most ${mostConditions} conditions, ${deepestGroup} levels of groups and ${longestRule / 1024} KiB as JSON`
const example = {
  any: [{ wallets: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'] }],
}

const newRule = (description: string) =>
  Type.Optional(
    Type.Unsafe<NewGateRule>(
      Type.Object(newFields, { description: `${description}: ${about}`, examples: [example] }),
    ),
  )
const rule = (description: string) =>
  Type.Optional(Type.Unsafe<GateRule>(Type.Object(storedFields, { description, examples: [example] })))

export const NewGate = Type.Object(
  {
    read: newRule('who may read and post; left out, every signed-in wallet may'),
    post: newRule('what else it takes to post; left out, nothing else'),
  },
  { $id: 'NewGate', description: 'Who gets into a chat, and who posts in it' },
)
export type NewGate = Static<typeof NewGate>

/** It follows "You need": at least 100 GARD on Base, or one of 3 wallets. */
export const words = (what: string) =>
  Made(4000, `${what} in words, as after "You need"; empty for nothing`, ['at least 100 GARD on Base'])

export const Gate = Type.Object(
  {
    read: rule('what it takes to read and post; left out for nothing'),
    post: rule('what else it takes to post; left out for nothing'),
    read_words: words('what it takes to read'),
    post_words: words('what else it takes to post'),
  },
  { $id: 'Gate', description: 'What it takes to get into a chat, and to post in it' },
)
export type Gate = Static<typeof Gate>
