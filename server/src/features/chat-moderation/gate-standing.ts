// Says what a wallet has and lacks for a chat, and whom of its members a gate would leave out.

import { randomBytes } from 'node:crypto'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { GateStanding, GateTry } from '@parley/sdk/contract/gate-answers.ts'
import type { GateRule } from '@parley/sdk/contract/gate-models.ts'
import { conditionWords, grouped, ruleWords, unitOf } from '@parley/sdk/gates/words.ts'
import { hasChains } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { forEachLimited } from '../../lib/for-each-limited.ts'
import type { Rules, Side } from '../../messages/chat-gates.ts'
import type { Chat } from '../../messages/chat-key.ts'
import {
  type Compiled,
  compileRule,
  type Condition,
  decide,
  fromUnits,
  type Known,
} from '../../messages/gate-rules.ts'
import { wholeWords } from '../../messages/rule-gate.ts'
import { findRoles, type RuleReading } from '../../messages/rule-reading.ts'
import { isEvmAddress } from '../../values/formats.ts'
import { sampleMembers } from './gates.ts'

const conditionsAtOnce = 4
const membersAtOnce = 8
/** A try checks at most this many members, and takes at most about this many milliseconds. */
const mostTried = 100
const longestTry = 8_000

interface Leaf {
  condition: Condition
  isNot: boolean
  group: number | undefined
}
type Part = GateStanding['read']['conditions'][number]
type Group = GateStanding['read']['groups'][number]
/** What a rule consists of, where each `not` has moved down to the conditions. */
interface Outline {
  leaves: Leaf[]
  groups: (Pick<Group, 'how'> & { rule: Compiled; isNot: boolean; group: number | undefined })[]
}

/** Returns what a wallet has and lacks. What it lacked is read again. */
export async function standingOf(ctx: Context, { chat }: Chat, wallet: string): Promise<GateStanding> {
  const roles = await findRoles(ctx.db, chat)
  const rules = ctx.chatGates.rulesFor(chat)
  const side = async (of: Side) => ({
    words: ruleWords(rules[of]).slice(0, 4000),
    ...(rules[of] ? await partsOf(ctx, rules[of], wallet) : { conditions: [], groups: [] }),
  })
  const [read, post] = [await side('read'), await side('post')]
  const holding = await holdingOf(ctx, chat, wallet)
  if (holding) {
    read.words = [holding.words, read.words].filter(Boolean).join(', and ').slice(0, 4000)
    read.conditions.unshift(holding)
  }
  const open = async (to: 'require' | 'requirePost') => {
    const isOpen = await passes(ctx, to, chat, wallet)
    return isOpen === undefined ? {} : { open: isOpen }
  }
  return {
    role: roles.has(wallet),
    read: { ...read, ...(await open('require')) },
    post: { ...post, ...(await open('requirePost')) },
  }
}

/** Returns what the chat of an NFT contract asks of everybody: a token of it. It is read again where the wallet had none. */
async function holdingOf({ config, gate }: Context, chat: string, wallet: string): Promise<Part | undefined> {
  if (!isEvmAddress(chat) || !hasChains(config)) return undefined
  const [{ readKind, readName }, { chainOf }] = await Promise.all([
    import('../../chains/contracts.ts'),
    import('../../chains/contract-view.ts'),
  ])
  try {
    gate.spend(wallet)
    const home = await gate.homes.find(chat)
    if (!home || (await readKind(config, chainOf(config, home.chain), home.contract)) === 'ERC-20')
      return undefined
    const name = await readName({ config }, home)
    const words = conditionWords({ ...home, name, standard: 'erc721' })
    const holds = (await gate.holds(home, wallet)) || (await gate.holds(home, wallet, true))
    return { words, ...(holds !== undefined && { met: holds, has: holds ? 'a token' : 'no token' }) }
  } catch (failure) {
    if (isAway(failure)) return undefined
    throw failure
  }
}

const isAway = (failure: unknown): boolean =>
  failure instanceof ApiError && (failure.status === 502 || failure.status === 503)

async function passes({ gate }: Context, to: 'require' | 'requirePost', chat: string, wallet: string) {
  try {
    await gate[to](chat, wallet)
    return true
  } catch (refusal) {
    if (refusal instanceof ApiError && refusal.status === 403) return false
    if (isAway(refusal)) return undefined
    throw refusal
  }
}

/** Returns the conditions and groups of a rule. A group that changes nothing is left out: of one, or of the same kind as the one around it. */
function outlineOf(whole: Compiled): Outline {
  const outline: Outline = { leaves: [], groups: [] }
  const add = (rule: Compiled, isNot: boolean, group?: number): void => {
    if (rule.kind === 'condition') outline.leaves.push({ condition: rule.condition, isNot, group })
    else if (rule.kind === 'not') add(rule.of[0], !isNot, group)
    else {
      const how = (rule.kind === 'any') === isNot ? 'all' : 'any'
      const around = group === undefined ? 'all' : outline.groups[group]!.how
      const isOwn = rule.of.length > 1 && how !== around
      const within = isOwn ? outline.groups.push({ how, rule, isNot, group }) - 1 : group
      for (const one of rule.of) add(one, isNot, within)
    }
  }
  add(whole, false)
  return outline
}

async function partsOf({ ruleReading }: Context, whole: GateRule, wallet: string) {
  const { leaves, groups } = outlineOf(compileRule(whole))
  const turned = (known: Known, isNot: boolean) => (known === undefined ? undefined : known !== isNot)
  const known = (condition: Condition) => ruleReading.known(condition, wallet)
  const isMet = ({ condition, isNot }: Leaf) => turned(known(condition), isNot)
  const missing = leaves.filter((leaf) => isMet(leaf) !== true)
  await forEachLimited(missing, conditionsAtOnce, async ({ condition }) => {
    try {
      await ruleReading.settle({ kind: 'condition', condition }, wallet, { isForced: true })
    } catch (failure) {
      if (!isAway(failure)) throw failure
    }
  })
  const placed = <Shown extends object>(shown: Shown, met: Known, group?: number) =>
    Object.assign(shown, met !== undefined && { met }, group !== undefined && { group })
  return {
    conditions: leaves.map((leaf): Part => {
      const { condition, isNot, group } = leaf
      const held = ruleReading.amount(condition, wallet)
      const part = { words: conditionWords(condition.rule, isNot), ...amounts(condition, held, isNot) }
      const past = pastOf(condition, ruleReading.past(condition, wallet))
      return placed(Object.assign(part, past), isMet(leaf), group)
    }),
    groups: groups.map(({ how, rule, isNot, group }): Group =>
      placed({ how }, turned(decide(rule, known), isNot), group),
    ),
  }
}

const pastOf = ({ rule }: Condition, past: ReturnType<RuleReading['past']>) =>
  past && {
    since: new Date(past.since).toISOString(),
    ...(past.least !== undefined && { least: write(rule, past.least) }),
  }

/** Writes how much of a token there is: 20 GARD, 1 token. */
function write(rule: GateRule, amount: bigint): string {
  const digits = grouped(fromUnits(amount, rule.decimals ?? 0))
  if (rule.standard === 'erc20') return `${digits} ${unitOf(rule)}`.slice(0, 200)
  return `${digits} ${digits === '1' ? 'token' : 'tokens'}`.slice(0, 200)
}

function amounts({ rule, token, min }: Condition, held: bigint | undefined, isNot: boolean) {
  if (!token || held === undefined) return {}
  // Of any tokens of ERC-1155 the chain does not say how many.
  if (rule.standard === 'erc1155' && !rule.ids) return { has: held > 0n ? 'a token' : 'no token' }
  return { has: write(rule, held), ...(!isNot && held < min && { lacks: write(rule, min - held) }) }
}

/** Checks members of a chat by rules that are not set yet, at the expense of `payer`. */
export async function tryRules(ctx: Context, chat: string, rules: Rules, payer: string): Promise<GateTry> {
  const from = `0x${randomBytes(20).toString('hex')}`
  const { members, sample } = await sampleMembers(ctx.db, chat, from, mostTried)
  const roles = await findRoles(ctx.db, chat)
  const result = { members, asked: sample.length, no_read: 0, no_post: 0, unknown: 0 }
  const end = performance.now() + longestTry
  const compiled = {
    read: rules.read && compileRule(rules.read),
    post: rules.post && compileRule(rules.post),
  }
  const others = sample.filter((wallet) => !roles.has(wallet))
  const check = async (wallet: string) => {
    if (performance.now() > end) return 'unknown'
    const read = await meets(ctx, compiled.read, wallet, payer)
    if (read !== true) return read === false ? 'no_read' : 'unknown'
    const post = await meets(ctx, compiled.post, wallet, payer)
    return post === true ? undefined : post === false ? 'no_post' : 'unknown'
  }
  await forEachLimited(others, membersAtOnce, async (wallet) => {
    const outcome = await check(wallet)
    if (outcome) result[outcome]++
    if (outcome === 'no_read') result.no_post++
  })
  return { ...result, gate: wholeWords(rules) }
}

/** Returns whether a wallet meets a rule; undefined while that is unknown, also because the budget of the payer is used up. */
async function meets({ ruleReading }: Context, rule: Compiled | undefined, wallet: string, payer: string) {
  if (!rule) return true
  try {
    await ruleReading.settle(rule, wallet, { payer })
    return ruleReading.isMet(rule, wallet)
  } catch (failure) {
    if (failure instanceof ApiError) return undefined
    throw failure
  }
}
