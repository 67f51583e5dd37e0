// Makes a gate that also asks for the rules that owners of chats have set. Wallets with a role in a chat always pass, so no rule
// locks its owner out.
//
// As for chats of holders, the last result counts for ten minutes while a chain does not respond; then the chat is closed. Calls
// are made at the expense of the wallet that is checked.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Gate as GateInWords, GateRule } from '@parley/sdk/contract/gate-models.ts'
import { ruleWords } from '@parley/sdk/gates/words.ts'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/pool.ts'
import { shareReads } from '../lib/share-reads.ts'
import { minute } from '../lib/times.ts'
import { askForList, openOnce } from './chain-questions.ts'
import type { ChatGates, Rules, Side } from './chat-gates.ts'
import { type Gate, longestAge } from './gate.ts'
import type { Known } from './gate-rules.ts'
import { findRoles, type RuleReading } from './rule-reading.ts'

interface Tools {
  db: Db
  gates: ChatGates
  reading: RuleReading
}

interface Roles {
  wallets: ReadonlySet<string>
  at: number
}

export function withRules(gate: Gate, { db, gates, reading }: Tools): Gate {
  const { once, turnsOf, failures, isRefused } = openOnce()
  const share = shareReads<ReadonlySet<string>>()
  /** The roles of a chat with rules are read once a minute. */
  const roles = new LRUCache<string, Roles>({ maxSize: 50_000, sizeCalculation: () => 1 })
  const keyOf = (chat: string, wallet: string, side: Side) => `${side} ${chat} ${wallet}`
  const guards = (chat: string) => gates.ruleFor(chat, 'read') !== undefined

  /** Returns whether a wallet passes, by what is known; `oldest` is the age of what counts, 0 for what needs no new call. */
  function passes(chat: string, wallet: string, side: Side, oldest: number): Known {
    const rule = gates.ruleFor(chat, side)
    if (!rule) return true
    const found = roles.get(chat)
    if (found?.wallets.has(wallet) && performance.now() - found.at < (oldest || minute)) return true
    const isMet = reading.isMet(rule, wallet, oldest)
    if (isMet) return true
    const isRoleKnown = found && performance.now() - found.at < (oldest || minute)
    return isRoleKnown ? isMet : undefined
  }

  const isSettled = (chat: string, wallet: string, side: Side = 'read') =>
    passes(chat, wallet, side, 0) !== undefined || failures.has(keyOf(chat, wallet, side))

  const answerOf = (chat: string, wallet: string, side: Side = 'read'): Known =>
    isRefused(keyOf(chat, wallet, side)) ? undefined : passes(chat, wallet, side, longestAge)

  const readRoles = (chat: string): Promise<ReadonlySet<string>> =>
    share(chat, async () => {
      const wallets = await findRoles(db, chat)
      roles.set(chat, { wallets, at: performance.now() })
      return wallets
    })

  const ask = (chat: string, wallet: string, side: Side, run = turnsOf(chat)): Promise<unknown> =>
    once(
      keyOf(chat, wallet, side),
      async () => {
        const rule = gates.ruleFor(chat, side)
        const found = roles.get(chat)
        const isFresh = found && performance.now() - found.at < minute
        const wallets = isFresh ? found.wallets : await readRoles(chat)
        if (rule && !wallets.has(wallet)) await reading.settle(rule, wallet)
      },
      run,
    )

  async function require(chat: string, wallet: string, side: Side): Promise<void> {
    if (!gates.ruleFor(chat, side)) return
    if (!isSettled(chat, wallet, side)) await ask(chat, wallet, side, (work) => work())
    const isOpen = answerOf(chat, wallet, side)
    if (isOpen) return
    // It may have got a role just now.
    if ((await readRoles(chat)).has(wallet)) return
    const failure = failures.get(keyOf(chat, wallet, side))
    throw isOpen === undefined && failure ? failure : notLetIn(side, gates.rulesFor(chat))
  }

  async function closedTo(wallet: string, chats: string[]): Promise<string[]> {
    const guarded = chats.filter(guards)
    const unsettled = guarded.filter((chat) => !isSettled(chat, wallet))
    await askForList(unsettled, (chat) => ask(chat, wallet, 'read'))
    return guarded.filter((chat) => !answerOf(chat, wallet))
  }

  return {
    ...gate,
    concerns: (wallet) => gates.isUsed() || gate.concerns(wallet),
    isForHolders: (chat) => guards(chat) || gate.isForHolders(chat),
    guards: (chat) => guards(chat) || gate.guards(chat),
    async require(chat, wallet) {
      await gate.require(chat, wallet)
      await require(chat, wallet, 'read')
    },
    async requirePost(chat, wallet) {
      await gate.requirePost(chat, wallet)
      await require(chat, wallet, 'post')
    },
    async closedTo(wallet, chats) {
      if (!gates.isUsed()) return gate.closedTo(wallet, chats)
      const closed = await Promise.all([gate.closedTo(wallet, chats), closedTo(wallet, chats)])
      return [...new Set(closed.flat())]
    },
    mayRead: (chat, wallet) => answerOf(chat, wallet) === true && gate.mayRead(chat, wallet),
    isSettled: (chat, wallet) => isSettled(chat, wallet) && gate.isSettled(chat, wallet),
    wordsOf: (chat) => wordsFor(gates.rulesFor(chat)),
  }
}

/** Returns rules as a wallet sees them that has no role in the chat: of a list of wallets the number, and itself. */
export const wordsFor = (rules: Rules, reader = ''): GateInWords =>
  inWords(rules, (rule) => withoutLists(rule, reader))

/** Returns rules as the owner and the moderators of a chat see them. */
export const wholeWords = (rules: Rules): GateInWords => inWords(rules, (rule) => rule)

function inWords({ read, post }: Rules, shown: (rule: GateRule) => GateRule): GateInWords {
  return {
    ...(read && { read: shown(read) }),
    ...(post && { post: shown(post) }),
    read_words: ruleWords(read).slice(0, 4000),
    post_words: ruleWords(post).slice(0, 4000),
  }
}

const withoutLists = (rule: GateRule, reader: string): GateRule => ({
  ...rule,
  ...(rule.any && { any: rule.any.map((one) => withoutLists(one, reader)) }),
  ...(rule.all && { all: rule.all.map((one) => withoutLists(one, reader)) }),
  ...(rule.not && { not: withoutLists(rule.not, reader) }),
  ...(rule.wallets && {
    wallets: rule.wallets.filter((one) => one === reader),
    listed: rule.wallets.length,
  }),
})

const notLetIn = (side: Side, { read, post }: Rules) => {
  const words = [read, side === 'post' ? post : undefined].filter((one) => one !== undefined).map(ruleWords)
  return new ApiError(
    'forbidden',
    `To ${side === 'read' ? 'read' : 'post in'} this chat you need ${words.join(', and ')}.`.slice(0, 1000) +
      ' A token received just now counts within a minute.',
  )
}
