// Checks a rule of a gate that an owner sets, and adds to it what its contracts say of themselves.

import { ApiError, type FieldError } from '@parley/sdk/contract/errors.ts'
import {
  type GateRule,
  longestRule,
  mostRuleIds,
  mostRuleWallets,
  type NewGate,
  type NewGateRule,
  type TokenStandard,
} from '@parley/sdk/contract/gate-models.ts'
import { deepestGroup, mostConditions } from '@parley/sdk/gates/limits.ts'
import type { Hex } from 'viem'
import { sinceOf } from '../../chains/past.ts'
import { type Config, hasChains } from '../../config/settings.ts'
import { badRequest } from '../../http/validation.ts'
import { forEachLimited } from '../../lib/for-each-limited.ts'
import type { Rules, Side } from '../../messages/chat-gates.ts'
import { isEvmAddress } from '../../values/formats.ts'

interface Tools {
  config: Pick<Config, 'rpcUrls'>
  now: number
  /** It counts a call of a chain, or throws 429. */
  spend: () => void
}

interface Found {
  rule: GateRule
  pointer: string
}

const contractsAtOnce = 4
const kinds = ['any', 'all', 'not', 'wallets', 'contract'] as const
const ofTokens = ['chain', 'standard', 'min', 'ids', 'held_hours'] as const
const sides: readonly Side[] = ['read', 'post']

/** Returns the rules of a gate as they are stored. Throws a 400 that names every wrong value, and 502 while a chain is away. */
export async function checkGate(tools: Tools, gate: NewGate): Promise<Rules> {
  const errors: FieldError[] = []
  const rules: Rules = {}
  const tokens: Found[] = []
  for (const side of sides) {
    const given = gate[side]
    if (!given) continue
    const found: Found[] = []
    rules[side] = checkRule(given, `/body/${side}`, { tools, errors, found })
    checkSize(rules[side], found, { pointer: `/body/${side}`, errors })
    tokens.push(...found.filter(({ rule }) => rule.contract !== undefined))
  }
  if (errors.length > 0) throw badRequest(errors)
  await addFacts(tools, tokens, errors)
  await checkPast(tools, tokens, errors)
  if (errors.length > 0) throw badRequest(errors)
  return rules
}

interface Check {
  tools: Tools
  errors: FieldError[]
  found: Found[]
}

function checkRule(given: NewGateRule, pointer: string, check: Check): GateRule {
  const has = kinds.filter((kind) => given[kind] !== undefined)
  if (has.length !== 1) {
    const detail = `must have exactly one of any, all, not (${deepestGroup} levels of these at most), wallets, or a token with chain, contract and standard`
    check.errors.push({ pointer, detail })
    return {}
  }
  for (const name of given.contract === undefined ? ofTokens : [])
    if (given[name] !== undefined)
      check.errors.push({ pointer: `${pointer}/${name}`, detail: 'is for a token, and this is none' })
  const inner = (rules: NewGateRule[], name: string) =>
    rules.map((one, i) => checkRule(one, `${pointer}/${name}/${i}`, check))
  if (given.any) return { any: inner(given.any, 'any') }
  if (given.all) return { all: inner(given.all, 'all') }
  if (given.not) return { not: checkRule(given.not, `${pointer}/not`, check) }
  const rule = given.wallets ? { wallets: [...new Set(given.wallets)] } : checkToken(given, pointer, check)
  check.found.push({ rule, pointer })
  return rule
}

function checkToken(given: NewGateRule, pointer: string, { tools: { config }, errors }: Check): GateRule {
  const { chain, contract = '', standard, min = standard === 'erc20' ? '' : '1' } = given
  const wrong = (name: string, detail: string) => errors.push({ pointer: `${pointer}/${name}`, detail })
  if (chain === undefined || !Object.hasOwn(config.rpcUrls, chain)) {
    const chains = Object.keys(config.rpcUrls).join(', ') || 'none'
    wrong('chain', `must be a chain that this service is connected to: ${chains}`)
  }
  if (!isEvmAddress(contract)) wrong('contract', 'must be 0x and 40 hexadecimal digits')
  if (standard === undefined) wrong('standard', 'is required: erc20, erc721 or erc1155')
  const ids = given.ids && [...new Set(given.ids.map((id) => BigInt(id).toString()))]
  const problem = standard && amountProblem(standard, min, ids)
  if (problem) wrong(ids && standard === 'erc20' ? 'ids' : 'min', problem)
  if (standard === 'erc1155' && !ids && given.held_hours !== undefined)
    wrong(
      'held_hours',
      'is for tokens with ids: of any of ERC-1155 the chain does not say how long they were held',
    )
  return {
    chain: chain!,
    contract,
    standard: standard!,
    min,
    ...(ids && { ids }),
    ...(given.held_hours !== undefined && { held_hours: given.held_hours }),
  }
}

function amountProblem(standard: TokenStandard, min: string, ids?: string[]): string | undefined {
  if (standard === 'erc20') {
    if (ids) return 'are for erc721 and erc1155: coins of erc20 have none'
    if (min === '') return 'is required: how much a wallet must hold, such as "100"'
  } else if (min.includes('.')) return 'must be a whole number of tokens'
  if (/^[0.]*$/.test(min)) return 'must be more than 0'
  if (standard === 'erc1155' && !ids && min !== '1')
    return 'must be "1" where no ids are given: the chain says only whether a wallet holds any of these tokens'
  if (standard === 'erc721' && ids && BigInt(min) > ids.length)
    return `must be at most ${ids.length}, the number of ids`
  return undefined
}

function checkSize(
  rule: GateRule,
  found: Found[],
  { pointer, errors }: Pick<FieldError, 'pointer'> & Pick<Check, 'errors'>,
) {
  const most = (count: number, limit: number, what: string) => {
    if (count > limit) errors.push({ pointer, detail: `must have at most ${limit} ${what}; it has ${count}` })
  }
  const sum = (of: (one: GateRule) => number) => found.reduce((all, one) => all + of(one.rule), 0)
  most(found.length, mostConditions, 'conditions')
  most(
    sum(({ ids = [] }) => ids.length),
    mostRuleIds,
    'token ids',
  )
  most(
    sum(({ wallets = [] }) => wallets.length),
    mostRuleWallets,
    'wallets',
  )
  most(Buffer.byteLength(JSON.stringify(rule)), longestRule, 'bytes as JSON')
}

/** Reads each contract once. */
async function addFacts({ config, spend }: Tools, tokens: Found[], errors: FieldError[]): Promise<void> {
  if (tokens.length === 0 || !hasChains(config)) return
  const { readTokenFacts } = await import('../../chains/token-facts.ts')
  const contracts = Map.groupBy(tokens, ({ rule }) => `${rule.chain} ${rule.contract} ${rule.standard}`)
  const failures: unknown[] = []
  await forEachLimited(contracts.values(), contractsAtOnce, async (found) => {
    const { chain, contract, standard } = found[0]!.rule
    try {
      spend()
      const facts = await readTokenFacts(config, { chain: chain!, contract: contract as Hex }, standard!)
      for (const { rule, pointer } of found)
        if (typeof facts === 'string')
          errors.push({ pointer: `${pointer}/contract`, detail: `must fit the standard: ${facts}` })
        else {
          Object.assign(rule, facts)
          const parts = rule.min!.split('.')[1] ?? ''
          if (parts.length > (facts.decimals ?? 0))
            errors.push({
              pointer: `${pointer}/min`,
              detail: `must have at most ${facts.decimals} digits after the point, as this token has`,
            })
        }
    } catch (failure) {
      failures.push(failure)
    }
  })
  if (failures.length > 0) throw failures.find((one) => !(one instanceof ApiError)) ?? failures[0]
}

/** Finds out whether the nodes can say what wallets held as long ago as the conditions ask for. */
async function checkPast(
  { config, now, spend }: Tools,
  tokens: Found[],
  errors: FieldError[],
): Promise<void> {
  const past = tokens.filter(({ rule }) => rule.held_hours !== undefined)
  if (past.length === 0 || errors.length > 0) return
  const { readsPast } = await import('../../chains/blocks.ts')
  const lengths = Map.groupBy(past, ({ rule }) => `${rule.chain} ${rule.held_hours}`)
  await forEachLimited(lengths.values(), contractsAtOnce, async (found) => {
    const { chain, contract, held_hours: hours } = found[0]!.rule
    const on = { chain: chain!, contract: contract as Hex }
    if (await readsPast(config, on, sinceOf(hours!, now), spend)) return
    const detail = `must be less: the RPC node of chain ${chain} has no balances of ${hours} hours ago. Its operator can set RPC_URLS to one with an archive`
    errors.push(...found.map(({ pointer }) => ({ pointer: `${pointer}/held_hours`, detail })))
  })
}
