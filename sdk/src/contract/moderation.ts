import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, Logo, Made, Name, Page, single, Text, Timestamp } from './fields.ts'
import { grantNotices } from './grants.ts'
import { literals } from './literals.ts'
import { mostAnswered, NewAction, noticed, Until } from './moderation-actions.ts'

export const LogEntry = Type.Object(
  {
    id: Id,
    at: Timestamp,
    operator: {
      ...Address,
      description: 'who did it; `command-line` for the administrator of the service, `clamd` for its scanner',
    },
    action: Made(64, 'what was done', ['warn']),
    subject: Type.String({ ...Address, description: 'the wallet or chat; empty for none', examples: [''] }),
    until: Type.Optional(Until),
    reason: Text(1024, 'why', { examples: ['Sent the same link to 40 people'] }),
    reports: Type.Array(Id, { maxItems: mostAnswered, description: 'the reports that it answers' }),
    item_id: Type.Optional({ ...Id, description: 'the message that it is about' }),
    hash: Made(64, 'SHA-256 of this row and the hash of the row before, in hexadecimal digits', ['5f…']),
  },
  { $id: 'LogEntry', description: 'A row of the log of operators' },
)
export type LogEntry = Static<typeof LogEntry>

/** A restriction of a wallet that holds now. */
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

const sanctionKinds = ['mute', 'ban', 'shadow_mute', 'close', 'takedown', 'announce', 'hold'] as const
/** The maximum number of log rows that an operator gets with a subject, and of notices of each kind that a wallet has. */
export const mostHistory = 100

const SubjectSanction = Type.Object(
  {
    kind: literals(
      [...sanctionKinds],
      'as the actions are; close: the chat is closed; takedown: the community was taken down; announce: the chat announces nothing; hold: its messages are under a legal hold',
    ),
    until: Type.Optional(Until),
  },
  { $id: 'SubjectSanction', description: 'What counts for a wallet or chat now' },
)

export const Subject = Type.Object(
  {
    address: Address,
    name: Name('its name; empty without one'),
    picture: Logo('its small picture; empty without one'),
    sanctions: Type.Array(SubjectSanction, {
      // A hold may be of the address and of the chat of that name.
      maxItems: sanctionKinds.length + 1,
      description: 'what counts for it now',
    }),
    reports: Type.Object(
      {
        open: Type.Integer({ minimum: 0, description: 'reports that wait', examples: [1] }),
        all: Type.Integer({ minimum: 0, description: 'all stored reports', examples: [3] }),
        reporters: Type.Integer({ minimum: 0, description: 'how many wallets sent them', examples: [2] }),
      },
      { description: 'how often it was reported', examples: [{ open: 1, all: 3, reporters: 2 }] },
    ),
    history: Type.Array(LogEntry, {
      maxItems: mostHistory,
      description: `what was done with it, the latest first, ${mostHistory} at most`,
    }),
  },
  { $id: 'Subject', description: 'What operators see of a wallet or chat' },
)
export type Subject = Static<typeof Subject>

/** An action of an operator against the caller, or a grant that was added to the caller's wallet. */
export const Notice = Type.Object(
  {
    id: { ...Id, description: 'unique among notices with this action' },
    at: Timestamp,
    action: literals(
      [...noticed, ...Object.values(grantNotices)],
      `what was done: as the actions of operators are; or what was added that reads or writes for the wallet until it is deleted, or until the wallet signs out everywhere: ${Object.values(grantNotices).join(', ')}`,
    ),
    until: Type.Optional(Until),
    reason: Text(1024, 'why; of what was added: what it is called, or where it sends to', {
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
      // The list has the actions of operators, and what the command line and the reading of a report add.
      maxProperties: 64,
      propertyNames: { type: 'string', format: 'text', maxLength: 64 },
      description: 'how often each action was taken in the last 30 days',
      examples: [{ warn: 2 }],
    }),
    log_id: Type.Integer({ ...Id, description: 'the number of the last row of the log' }),
    log_hash: Made(64, 'its hash: who notes it can later show that no row was changed or taken out', ['5f…']),
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
      'The effect, its row in the log and the reports that it closes are one transaction; every instance follows within five seconds. The wallet gets a notice of each action except a shadow mute, and wallets that reported it get a notice that their report was handled. A report that another operator has closed meanwhile is 409, and nothing is done. An action on the caller or on another operator is 400.',
    access: 'operator',
    recent: true,
    body: NewAction,
    response: single(LogEntry),
    idempotent: true,
  },
  getSubject: {
    method: 'GET',
    path: '/v1/mod/subjects/{address}',
    summary: 'What operators know of a wallet or chat',
    access: 'operator',
    response: single(Subject),
  },
  listModerationLog: {
    method: 'GET',
    path: '/v1/mod/log',
    summary: 'What operators did, the latest first',
    access: 'operator',
    query: Type.Object({ limit: Page.properties.limit, before: Page.properties.before }),
    response: Type.Array(LogEntry),
    pages: true,
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
    response: Type.Array(Sanction, { maxItems: 2 }),
  },
  listNotices: {
    method: 'GET',
    path: '/v1/notices',
    summary: 'What operators did with the caller, and what was added to its wallet, the latest first',
    access: 'wallet',
    whenBanned: true,
    response: Type.Array(Notice, { maxItems: 2 * mostHistory }),
  },
})
