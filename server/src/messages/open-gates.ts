// Makes the gate of all chats: for holders of a contract, by the rules of owners, for whom no moderator has banned, and of no
// community that was taken down.

import type { Logger } from 'pino'
import type { Standing } from '../auth/standing.ts'
import type { Db } from '../db/pool.ts'
import type { Siblings } from '../instances/siblings.ts'
import { type ChatGates, openChatGates } from './chat-gates.ts'
import type { Bans } from './chat-rules.ts'
import { closeTakenDown, keepOut } from './closed-chats.ts'
import { type Gate, openGate } from './gate.ts'
import { homeStore } from './home-chains.ts'
import { withRules } from './rule-gate.ts'
import { openRuleReading, type RuleReading } from './rule-reading.ts'

interface Foundation {
  db: Db
  config: Parameters<typeof openGate>[0] & { jwtSecret: string }
  log: Logger
  siblings: Siblings
  refreshEvery?: number | undefined
  bans: Bans
  standing: Standing
}

export interface Gates extends AsyncDisposable {
  /** The gate decides who may read and post in a chat. */
  gate: Gate
  /** These are the rules that owners have set. */
  chatGates: ChatGates
  /** This calls chains for rules that are not set yet. */
  ruleReading: RuleReading
}

export async function openGates({
  db,
  config,
  log,
  siblings,
  refreshEvery,
  bans,
  standing,
}: Foundation): Promise<Gates> {
  const ofHolders = await openGate(config, homeStore(db))
  const ruleReading = await openRuleReading({ config, spend: ofHolders.spend, now: db.now })
  const chatGates = await openChatGates(db, log, siblings, refreshEvery)
  const ruled = withRules(ofHolders, { db, gates: chatGates, reading: ruleReading })
  return {
    gate: closeTakenDown(keepOut(ruled, bans), standing),
    chatGates,
    ruleReading,
    [Symbol.asyncDispose]: () => chatGates[Symbol.asyncDispose](),
  }
}
