// Holds the rules that owners of chats have set for reading and posting. Every instance holds them in memory and reads changes
// every 1.5 s, so that no read and no post needs a query for them.

import type { GateRule } from '@parley/sdk/contract/gate-models.ts'
import type { Logger } from 'pino'
import type { Db } from '../db/pool.ts'
import { keepUp } from '../instances/polled-memory.ts'
import { alone, type Siblings } from '../instances/siblings.ts'
import { communityOf } from './chat-key.ts'
import { type Compiled, compileRule } from './gate-rules.ts'

/** Reading takes the rule `read`; posting takes both. */
export type Side = 'read' | 'post'
export type Rules = { [Of in Side]?: GateRule }

export interface ChatGates extends AsyncDisposable {
  /** Returns the rules of a chat itself. */
  rulesOf: (chat: string) => Rules
  /** Returns the rules of a chat together with those of its community. */
  rulesFor: (chat: string) => Rules
  /** Returns what a wallet must meet in a chat, also by its community; undefined for nothing. */
  ruleFor: (chat: string, side: Side) => Compiled | undefined
  /** Returns true while any chat has a rule. */
  isUsed: () => boolean
  /** Reads what this instance has changed, on all processes of this machine at once. */
  refresh: () => Promise<void>
}

interface Row {
  chat: string
  read_rule: GateRule | null
  post_rule: GateRule | null
}

interface Held {
  rules: Rules
  compiled: { [Of in Side]?: Compiled }
}

// A row may become visible later than its time, and rounds may fail while the database is away.
const recently = 600_000

/** Everything is loaded before this returns, so that nobody gets in whom a rule keeps out. */
export async function openChatGates(
  db: Db,
  log: Pick<Logger, 'warn'>,
  siblings: Siblings = alone,
  refreshEvery?: number,
): Promise<ChatGates> {
  const gates = new Map<string, Held>()

  const load = async (since: number) => {
    const rows = await db.query<Row>('select chat, read_rule, post_rule from chat_gates where ms > $1', [
      since,
    ])
    for (const { chat, read_rule, post_rule } of rows)
      if (read_rule || post_rule) gates.set(chat, hold(read_rule, post_rule))
      else gates.delete(chat)
  }
  await load(0)
  const polling = keepUp('gates', log, siblings, () => load(db.now() - recently), refreshEvery)

  const partsFor = (chat: string, side: Side): Compiled[] => {
    const community = communityOf(chat)
    return (community === chat ? [chat] : [community, chat]).flatMap((key) => {
      const { read, post } = gates.get(key)?.compiled ?? {}
      return [read, side === 'post' ? post : undefined].filter((one) => one !== undefined)
    })
  }

  const rulesOf = (chat: string): Rules => gates.get(chat)?.rules ?? {}
  return {
    rulesOf,
    rulesFor: (chat) => together(rulesOf(communityOf(chat)), communityOf(chat) === chat ? {} : rulesOf(chat)),
    ruleFor(chat, side) {
      if (gates.size === 0) return undefined
      const parts = partsFor(chat, side)
      return parts.length > 1 ? { kind: 'all', of: parts } : parts[0]
    },
    isUsed: () => gates.size > 0,
    async refresh() {
      await polling.refresh()
      await siblings.ask('changed')
    },
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  }
}

const hold = (read: GateRule | null, post: GateRule | null): Held => ({
  rules: { ...(read && { read }), ...(post && { post }) },
  compiled: { ...(read && { read: compileRule(read) }), ...(post && { post: compileRule(post) }) },
})

/** Returns rules that ask for both, such as those of a community and of its room. */
function together(outer: Rules, inner: Rules): Rules {
  const both = (side: Side): Rules => {
    const [one, other] = [outer[side], inner[side]]
    const rule = one && other ? { all: [one, other] } : (one ?? other)
    return rule ? { [side]: rule } : {}
  }
  return { ...both('read'), ...both('post') }
}
