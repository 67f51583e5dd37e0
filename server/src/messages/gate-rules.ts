// Computes what the rule of a gate says of a wallet, from what is known of its conditions. A condition is met, not met, or unknown
// while its chain does not respond; a rule is unknown only where what is unknown matters.

import type { GateRule } from '@parley/sdk/contract/gate-models.ts'
import type { Counted } from '../chains/balances.ts'
import type { Hex } from 'viem'

/** One condition. */
export interface Condition {
  rule: GateRule
  /** These wallets meet it; undefined for a token. */
  wallets?: ReadonlySet<string>
  token?: Counted
  /** A wallet must hold this much of the token, in its smallest units. */
  min: bigint
  /** It must have held as much for this many hours; undefined for now alone. */
  hours?: number | undefined
}

export type Compiled =
  | { kind: 'condition'; condition: Condition }
  | { kind: 'any' | 'all'; of: Compiled[] }
  | { kind: 'not'; of: [Compiled] }

export type Known = boolean | undefined

export function compileRule(rule: GateRule): Compiled {
  if (rule.not) return { kind: 'not', of: [compileRule(rule.not)] }
  if (rule.any) return { kind: 'any', of: rule.any.map(compileRule) }
  if (rule.all) return { kind: 'all', of: rule.all.map(compileRule) }
  return { kind: 'condition', condition: conditionOf(rule) }
}

function conditionOf(rule: GateRule): Condition {
  const { wallets, chain, contract, standard, min = '1', ids, decimals = 0, held_hours: hours } = rule
  if (wallets) return { rule, wallets: new Set(wallets), min: 1n }
  const key = [chain, contract, standard, ...(ids ?? [])].join(' ')
  const token: Counted = {
    chain: chain!,
    contract: contract as Hex,
    standard: standard!,
    ids: ids?.map(BigInt),
    key,
  }
  return { rule, token, min: toUnits(min, decimals), hours }
}

/** Returns an amount in the smallest units of its token. */
function toUnits(amount: string, decimals: number): bigint {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(decimals, '0'))
}

/** Writes an amount of smallest units as people do. */
export function fromUnits(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return part === '' ? whole : `${whole}.${part}`
}

/** Returns whether a rule is met, where `of` returns that of its conditions. */
export function decide(rule: Compiled, of: (condition: Condition) => Known): Known {
  if (rule.kind === 'condition') return of(rule.condition)
  if (rule.kind === 'not') {
    const inner = decide(rule.of[0], of)
    return inner === undefined ? undefined : !inner
  }
  // One that is met decides `any`, and one that is not met decides `all`.
  const deciding = rule.kind === 'any'
  let isUnknown = false
  for (const one of rule.of) {
    const known = decide(one, of)
    if (known === deciding) return deciding
    if (known === undefined) isUnknown = true
  }
  return isUnknown ? undefined : !deciding
}

/** Returns the conditions that are unknown and still matter. */
export function undecided(rule: Compiled, of: (condition: Condition) => Known): Condition[] {
  if (decide(rule, of) !== undefined) return []
  return rule.kind === 'condition' ? [rule.condition] : rule.of.flatMap((one) => undecided(one, of))
}
