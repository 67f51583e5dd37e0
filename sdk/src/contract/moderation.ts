import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, Page, Timestamp } from './fields.ts'
import { grantNotices } from './grants.ts'
import { literals } from './literals.ts'
import { NewAction, noticed, Until } from './moderation-actions.ts'

export const LogEntry = Type.Object(
  {
    id: Id,
    at: Timestamp,
    operator: { ...Address, description: 'who did it; `command-line` for whoever runs the service' },
    action: Type.String({ description: 'what was done', examples: ['warn'] }),
    subject: Type.String({ description: 'the wallet or chat; empty for none', examples: [''] }),
    until: Type.Optional(Until),
    reason: Type.String({ description: 'why', examples: ['Sent the same link to 40 people'] }),
    reports: Type.Array(Id, { description: 'the reports that it answers' }),
    item_id: Type.Optional({ ...Id, description: 'the message that it is about' }),
    hash: Type.String({
      description: 'SHA-256 of this row and the hash of the row before, in hexadecimal digits',
      examples: ['5f…'],
    }),
  },
  { $id: 'LogEntry', description: 'A row of the log of operators' },
)
export type LogEntry = Static<typeof LogEntry>

/** What a wallet may not do now. */
export const Sanction = Type.Object(
  {
    kind: literals(
      ['mute', 'ban'],
      'mute: it may not write. ban: it may do nothing but appeal, export and erase',
    ),
    until: Type.Optional(Until),
  },
  { $id: 'Sanction', description: 'What a wallet may not do now' },
)
export type Sanction = Static<typeof Sanction>

const SubjectSanction = Type.Object(
  {
    kind: literals(
      ['mute', 'ban', 'shadow_mute', 'close', 'takedown', 'hold'],
      'as the actions are; close: the chat is closed; takedown: the community was taken down; hold: its messages are under a legal hold',
    ),
    until: Type.Optional(Until),
  },
  { $id: 'SubjectSanction', description: 'What counts for a wallet or chat now' },
)

export const Subject = Type.Object(
  {
    address: Address,
    name: Type.String({ description: 'its name; empty without one', examples: ['vitalik'] }),
    picture: Type.String({ description: 'its small picture; empty without one', examples: [''] }),
    sanctions: Type.Array(SubjectSanction, { description: 'what counts for it now' }),
    reports: Type.Object(
      {
        open: Type.Integer({ minimum: 0, description: 'reports that wait', examples: [1] }),
        all: Type.Integer({ minimum: 0, description: 'reports that are kept', examples: [3] }),
        reporters: Type.Integer({ minimum: 0, description: 'how many wallets sent them', examples: [2] }),
      },
      { description: 'how often it was reported', examples: [{ open: 1, all: 3, reporters: 2 }] },
    ),
    history: Type.Array(LogEntry, { description: 'what was done with it, the latest first, 100 at most' }),
  },
  { $id: 'Subject', description: 'What operators see of a wallet or chat' },
)
export type Subject = Static<typeof Subject>

/** What an operator did with the caller, or what was added to its wallet. */
export const Notice = Type.Object(
  {
    id: { ...Id, description: 'unique among notices with this action' },
    at: Timestamp,
    action: literals(
      [...noticed, ...Object.values(grantNotices)],
      'what was done: as the actions of operators are; or what was added that reads or writes for the wallet until it is deleted, or until the wallet signs out everywhere: api_key_added, incoming_hook_added, webhook_added, push_subscription_added, telegram_linked',
    ),
    until: Type.Optional(Until),
    reason: Type.String({
      description: 'why; of what was added: what it is called, or the host to which it sends',
      examples: ['Sent the same link to 40 people'],
    }),
  },
  {
    $id: 'Notice',
    description: 'What an operator of the service did with the wallet, or what was added to it',
  },
)
export type Notice = Static<typeof Notice>

const Counts = Type.Object(
  {
    actions: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: 'how often each action was taken in the last 30 days',
      examples: [{ warn: 2 }],
    }),
    log_id: Type.Integer({ ...Id, description: 'the number of the last row of the log' }),
    log_hash: Type.String({
      description: 'its hash: who notes it can later show that no row was changed or taken out',
      examples: ['5f…'],
    }),
  },
  { $id: 'ModerationCounts', description: 'What operators do, in numbers' },
)

// Spec gap: the interface has nobody who could act against abuse.
export const moderation = endpoints({
  act: {
    method: 'POST',
    path: '/v1/mod/actions',
    summary: 'Act on a wallet or chat',
    description:
      'The effect, its row in the log and the reports that it closes are one transaction; every instance follows within five seconds. The wallet gets a notice of what concerns it, but of a shadow mute; who reported it is told that its report was handled. A report that another operator has closed meanwhile is 409: nothing was done. What is done to a wallet is refused (400) where the wallet is the caller or another operator.',
    access: 'operator',
    recent: true,
    body: NewAction,
    response: Type.Array(LogEntry),
    idempotent: true,
  },
  getSubject: {
    method: 'GET',
    path: '/v1/mod/subjects/{address}',
    summary: 'What operators know of a wallet or chat',
    access: 'operator',
    response: Type.Array(Subject),
  },
  listModerationLog: {
    method: 'GET',
    path: '/v1/mod/log',
    summary: 'What operators did, the latest first',
    access: 'operator',
    query: Type.Object({ limit: Page.properties.limit, before: Page.properties.before }),
    response: Type.Array(LogEntry),
  },
  countModeration: {
    method: 'GET',
    path: '/v1/mod/stats',
    summary: 'What operators do, in numbers, for everybody',
    access: 'public',
    limit: 'static',
    response: Counts,
  },
  listSanctions: {
    method: 'GET',
    path: '/v1/sanctions',
    summary: 'What the caller may not do now',
    access: 'wallet',
    whenBanned: true,
    response: Type.Array(Sanction),
  },
  listNotices: {
    method: 'GET',
    path: '/v1/notices',
    summary: 'What operators did with the caller, and what was added to its wallet, the latest first',
    access: 'wallet',
    whenBanned: true,
    response: Type.Array(Notice),
  },
})
