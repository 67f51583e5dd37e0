// What an operator may do to whom. What is done to a wallet is never done to oneself, nor to another operator: whoever runs the service
// removes that one first. A report about itself an operator neither reads nor decides (reports.ts).

import type { Action } from '@parley/sdk/contract/moderation-actions.ts'
import type { Standing } from '../../auth/standing.ts'
import { badRequest } from '../../http/validation.ts'

/** What each action is done to; `report` does nothing to the wallet or chat that the report is about. */
export const targets: Readonly<Record<Action, 'wallet' | 'chat' | 'either' | 'report'>> = {
  warn: 'wallet',
  mute: 'wallet',
  ban: 'wallet',
  lift: 'wallet',
  revoke_tokens: 'wallet',
  remove_name: 'wallet',
  remove_picture: 'wallet',
  remove_message: 'wallet',
  remove_post: 'wallet',
  shadow_mute: 'wallet',
  shadow_lift: 'wallet',
  note: 'report',
  acknowledge: 'report',
  escalate: 'report',
  close_chat: 'chat',
  open_chat: 'chat',
  takedown_community: 'chat',
  restore_community: 'chat',
  hold: 'either',
  release: 'either',
}

interface Asked {
  action: Action
  operator: string
  /** As it is stored: a wallet, or the key of a chat. */
  subject: string
}

/** Throws 400 where the subject is the operator itself, or another one to whom something would be done. */
export function requireMayAct(
  standing: Pick<Standing, 'isOperator'>,
  { action, operator, subject }: Asked,
): void {
  if (targets[action] === 'chat') return
  if (subject === operator) throw refusal('is yourself: another operator decides about you')
  if (targets[action] !== 'report' && standing.isOperator(subject))
    throw refusal('is an operator: remove it first, with npm run parley -- operator remove')
}

const refusal = (detail: string) => badRequest([{ pointer: '/body/subject', detail }])
