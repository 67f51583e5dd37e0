// What is entered in the form of a gate, and the rule that it makes. A rule that must not be met has no block of its own: its group
// or its condition says so.

import { conditionWords } from '@parley/sdk/gates/words.ts'
import type { Gate, GateRule, NewGate, NewGateRule } from '@parley/sdk/contract/gate-models.ts'
import { isEvmAddress } from '../seal/address.ts'

export type Kind = 'erc20' | 'erc721' | 'erc1155' | 'wallets'

export interface Condition {
  /** It stays while the condition is changed. */
  key: string
  kind: Kind
  isNot: boolean
  chain: string
  contract: string
  min: string
  ids: string
  /** It must have been held for as many hours; empty for none. */
  hours: string
  wallets: string
}

/** none: no part may be met; some-not: at least one may not. */
export type How = 'any' | 'all' | 'none' | 'some-not'

export interface Group {
  key: string
  how: How
  parts: Part[]
}

export type Part = Condition | Group

export interface Entered {
  read: Group
  post: Group
}

export type SideName = keyof Entered

export const isGroup = (part: Part): part is Group => 'parts' in part

export const newCondition = (chain: number | undefined): Condition => ({
  key: crypto.randomUUID(),
  kind: chain === undefined ? 'wallets' : 'erc20',
  isNot: false,
  chain: chain === undefined ? '' : String(chain),
  contract: '',
  min: '1',
  ids: '',
  hours: '',
  wallets: '',
})

export const newGroup = (how: How, parts: Part[]): Group => ({ key: crypto.randomUUID(), how, parts })

/** Returns whether everything is entered without which the condition says nothing. */
export const isComplete = ({ kind, contract, min, wallets }: Condition): boolean =>
  kind === 'wallets' ? wallets.trim() !== '' : isEvmAddress(contract.trim()) && min.trim() !== ''

const isFilled = (part: Part): boolean => (isGroup(part) ? part.parts.every(isFilled) : isComplete(part))

/** Returns whether all that is entered can be put in words. */
export const isWhole = ({ read, post }: Entered): boolean => isFilled(read) && isFilled(post)

const partsOf = (text: string) => text.split(/[\s,;]+/).filter(Boolean)

/** What contracts say of themselves, by chain and contract. */
export type TokenNames = ReadonlyMap<string, Pick<GateRule, 'symbol' | 'name'>>

const tokenKey = ({ chain, contract = '' }: GateRule) => `${chain} ${contract.toLowerCase()}`

/** Returns the names of the tokens in the rules of a gate. */
export const tokenNamesOf = ({ read, post }: Pick<Gate, 'read' | 'post'>): TokenNames =>
  new Map([read, post].flatMap((rule) => (rule ? tokensOf(rule) : [])))

const tokensOf = (rule: GateRule): [string, Pick<GateRule, 'symbol' | 'name'>][] => {
  const { symbol, name, not } = rule
  const inner = [...(rule.any ?? rule.all ?? []), ...(not ? [not] : [])].flatMap(tokensOf)
  return symbol === undefined && name === undefined
    ? inner
    : [[tokenKey(rule), { ...(symbol && { symbol }), ...(name && { name }) }], ...inner]
}

/** Returns the rule that a part makes; with `names` it is one to put in words. */
export function ruleOf(part: Part, names?: TokenNames): NewGateRule {
  const rule = isGroup(part)
    ? { [placeIn(part)]: part.parts.map((one) => ruleOf(one, names)) }
    : namedRule(part, names)
  return isTurned(part) ? { not: rule } : rule
}

function namedRule(condition: Condition, names?: TokenNames) {
  const rule = conditionRule(condition)
  return { ...rule, ...names?.get(tokenKey(rule)) }
}

function conditionRule({ kind, chain, contract, min, ids, hours, wallets }: Condition): NewGateRule {
  if (kind === 'wallets') return { wallets: partsOf(wallets) }
  const token = {
    chain: Number(chain),
    contract: contract.trim(),
    standard: kind,
    min: min.trim(),
    ...(hours.trim() && { held_hours: Number(hours) }),
  }
  const listed = partsOf(ids)
  return kind !== 'erc20' && listed.length > 0 ? { ...token, ids: listed } : token
}

export const wordsOf = (condition: Condition, names: TokenNames): string =>
  conditionWords(namedRule(condition, names), condition.isNot)

export const gateOf = ({ read, post }: Entered, names?: TokenNames): NewGate => ({
  ...(read.parts.length > 0 && { read: ruleOf(read, names) }),
  ...(post.parts.length > 0 && { post: ruleOf(post, names) }),
})

/** Returns the rules of a gate as the form shows them. */
export const enteredOf = ({ read, post }: Pick<Gate, 'read' | 'post'>): Entered => ({
  read: sideOf(read),
  post: sideOf(post),
})

function sideOf(rule: GateRule | undefined): Group {
  const part = rule && partOf(rule, 'stored')
  return part && isGroup(part) ? part : { key: 'side', how: 'any', parts: part ? [part] : [] }
}

function partOf(rule: GateRule, key: string): Part {
  if (rule.not) return opposite(partOf(rule.not, key))
  const rules = rule.any ?? rule.all
  if (rules)
    return {
      key,
      how: rule.any ? 'any' : 'all',
      parts: rules.map((one, i) => partOf(one, `${key} ${i}`)),
    }
  const { chain, contract = '', standard, min = '1', ids = [], held_hours: hours = '', wallets } = rule
  return {
    key,
    kind: standard ?? 'wallets',
    isNot: false,
    chain: chain === undefined ? '' : String(chain),
    contract,
    min,
    ids: ids.join(' '),
    hours: String(hours),
    wallets: (wallets ?? []).join('\n'),
  }
}

const opposites: Record<How, How> = { any: 'none', none: 'any', all: 'some-not', 'some-not': 'all' }

const opposite = (part: Part): Part =>
  isGroup(part) ? { ...part, how: opposites[part.how] } : { ...part, isNot: !part.isNot }

/** Returns true where the rule of a part is one that must not be met. */
export const isTurned = (part: Part): boolean =>
  isGroup(part) ? part.how === 'none' || part.how === 'some-not' : part.isNot

/** Returns the place of a part's rule in the body of a request. */
export const placeOf = (part: Part, at: string): string => (isTurned(part) ? `${at}/not` : at)

/** Returns where the parts of a group are in it. */
export const placeIn = ({ how }: Group): 'any' | 'all' => (how === 'any' || how === 'none' ? 'any' : 'all')
