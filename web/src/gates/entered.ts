// What is entered in the form of a gate, and the rule that it makes. A rule of groups in groups, which a program may set, is shown
// in words and not in the form.

import type { FieldError } from '@parley/sdk/contract/errors.ts'
import type { GateRule, NewGate, NewGateRule } from '@parley/sdk/contract/gate-models.ts'

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

export interface Side {
  how: 'any' | 'all'
  conditions: Condition[]
}

export interface Entered {
  read: Side
  post: Side
}

export type SideName = keyof Entered

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

const partsOf = (text: string) => text.split(/[\s,;]+/).filter(Boolean)

function ruleOf({ how, conditions }: Side): NewGateRule | undefined {
  if (conditions.length === 0) return undefined
  const rules = conditions.map((one) => (one.isNot ? { not: conditionRule(one) } : conditionRule(one)))
  return how === 'any' ? { any: rules } : { all: rules }
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

export const gateOf = ({ read, post }: Entered): NewGate => {
  const [ofRead, ofPost] = [ruleOf(read), ruleOf(post)]
  return { ...(ofRead && { read: ofRead }), ...(ofPost && { post: ofPost }) }
}

/** Returns a stored rule as the form shows it; undefined for one that has groups in groups. */
export function sideOf(rule: GateRule | undefined): Side | undefined {
  if (!rule) return { how: 'any', conditions: [] }
  const how = rule.all ? 'all' : 'any'
  const conditions = (rule.any ?? rule.all ?? [rule]).map((one, i) => conditionOf(one, `stored ${i}`))
  return conditions.every((one) => one !== undefined) ? { how, conditions } : undefined
}

function conditionOf(rule: GateRule, key: string): Condition | undefined {
  const {
    any,
    all,
    not,
    chain,
    contract = '',
    standard,
    min = '1',
    ids = [],
    held_hours: hours = '',
    wallets,
  } = rule
  if (any || all) return undefined
  if (not) {
    const inner = conditionOf(not, key)
    return inner && !inner.isNot ? { ...inner, isNot: true } : undefined
  }
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

const place = /^\/body\/(read|post)\/(?:any|all)\/(\d+)(?:\/not)?(?:\/(\w+))?/

/** Returns the fault that the service found in a field of a condition. */
export const faultAt = (errors: FieldError[], side: SideName, index: number) => (field: string) =>
  errors.find(({ pointer }) => {
    const [, of, at, name = 'contract'] = place.exec(pointer) ?? []
    return of === side && Number(at) === index && name === field
  })?.detail

/** Returns true where the fault is in no field of the form. */
export const isElsewhere = ({ pointer }: FieldError): boolean => !place.test(pointer)
