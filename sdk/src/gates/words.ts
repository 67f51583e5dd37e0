// Says in words what a rule of a gate asks for, as after "You need": at least 100 GARD on Base, or to be one of 3 wallets. The
// service and its clients use the same words.

import { chainName } from '../chain-names.ts'
import type { GateRule } from '../contract/gate-models.ts'

/** Returns the words of a rule; empty for none. */
export const ruleWords = (rule: GateRule | undefined): string => (rule ? wordsOf(rule, false) : '')

/** `within` is how the group around the rule joins its parts. */
function wordsOf(rule: GateRule, isNot: boolean, within?: 'or' | 'and'): string {
  if (rule.not) return wordsOf(rule.not, !isNot, within)
  const group = rule.any ?? rule.all
  if (!group) return conditionWords(rule, isNot)
  if (group.length === 1) return wordsOf(group[0]!, isNot, within)
  // None of several is not the one and not the other.
  const how = (rule.any !== undefined) === isNot ? 'and' : 'or'
  const joined = group.map((one) => wordsOf(one, isNot, how)).join(`, ${how} `)
  return within === undefined || within === how ? joined : `(${joined})`
}

/** Returns the words of one condition, or those of its opposite. */
export function conditionWords(rule: GateRule, isNot = false): string {
  const { wallets, listed = wallets?.length ?? 0, min = '1', chain = 0, ids } = rule
  if (wallets && listed === 1) return isNot ? 'not to be the listed wallet' : 'to be the listed wallet'
  if (wallets) return `to be ${isNot ? 'none' : 'one'} of ${listed} wallets`
  const on = `on ${chainName(chain)}${heldWords(rule, isNot)}`
  if (rule.standard === 'erc20')
    return `${isNot ? 'less than' : 'at least'} ${grouped(min)} ${unitOf(rule)} ${on}`
  const tokens = `${ids ? idWords(ids) : ''} of ${unitOf(rule)} ${on}`
  if (min === '1') return `${isNot ? 'no' : 'a'} token${tokens}`
  return `${isNot ? 'fewer than' : 'at least'} ${grouped(min)} tokens${tokens}`
}

const heldWords = ({ held_hours: hours }: GateRule, isNot: boolean): string =>
  hours === undefined ? '' : ` ${isNot ? 'or held for less than' : 'held for'} ${timeWords(hours)}`

function timeWords(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Returns the name that people know the tokens of a contract by; else its address. */
export const unitOf = ({ symbol, name, contract = '', standard }: GateRule): string =>
  (standard === 'erc20' ? symbol || name : name || symbol) || `${contract.slice(0, 6)}…${contract.slice(-4)}`

const idWords = (ids: string[]): string =>
  ids.length <= 3
    ? ` ${ids.map((id) => `#${id.length > 12 ? `${id.slice(0, 12)}…` : id}`).join(' or ')}`
    : ` (one of ${ids.length} ids)`

/** Groups the digits of a number: 1,000,000.5 */
export function grouped(amount: string): string {
  const [whole = '', part] = amount.split('.')
  const digits = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return part === undefined ? digits : `${digits}.${part}`
}
