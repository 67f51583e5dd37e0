// These rules say what an operator may do to which wallet or chat. An operator never acts on their own wallet, nor on another
// operator: the administrator of the service removes that operator first. Nor do they do a favor to a chat that they own or
// moderate. An operator neither reads nor decides a report about themselves (reports.ts).

import type { Action } from '@parley/sdk/contract/moderation-actions.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Standing } from '../../auth/standing.ts'
import type { Db } from '../../db/pool.ts'
import { badRequest } from '../../http/validation.ts'
import { getRole } from '../../messages/chat-rules.ts'

/** The target of each action; `report` does nothing to the wallet or chat that the report is about. */
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
  stop_announcements: 'chat',
  allow_announcements: 'chat',
  recommend_community: 'chat',
  unrecommend_community: 'chat',
  hold: 'either',
  release: 'either',
}

interface ActionRequest {
  action: Action
  operator: string
  /** The subject in its stored form: a wallet, or the key of a chat. */
  subject: string
}

/** Throws 400 where the subject is the operator's own wallet, or another operator on whom the action would be taken. */
export function requireMayAct(
  standing: Pick<Standing, 'isOperator'>,
  { action, operator, subject }: ActionRequest,
): void {
  if (targets[action] === 'chat') return
  if (subject === operator) throw refusal('is yourself: another operator decides about you')
  if (targets[action] !== 'report' && standing.isOperator(subject))
    throw refusal('is an operator: remove it first, with npm run parley -- operator remove')
}

const favors = new Set<Action>([
  'open_chat',
  'restore_community',
  'allow_announcements',
  'recommend_community',
  'release',
])

/**
 * Throws 403 where an operator who owns or moderates a chat would do it a favor. They may act against it: an owner can make any
 * wallet a moderator, and would else be safe from all operators.
 */
export async function requireNoFavor(
  db: Db,
  { action, operator, subject: chat }: ActionRequest,
): Promise<void> {
  if (!favors.has(action)) return
  const role = await getRole(db, chat, operator)
  if (role === undefined) return
  const does = role === 'owner' ? 'own' : 'moderate'
  throw new ApiError('forbidden', `You ${does} this chat: another operator decides about it.`)
}

const refusal = (detail: string) => badRequest([{ pointer: '/body/subject', detail }])
