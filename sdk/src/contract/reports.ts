import { type Static, Type } from 'typebox'
import { mostFileBytes } from '../files/format.ts'
import { Sha256 } from './blocked-files.ts'
import { mostEdits } from './reactions.ts'
import { endpoints } from './endpoint.ts'
import { Address, Id, maxMessageBytes, single, Text, Timestamp } from './fields.ts'
import { literals } from './literals.ts'

/** These limit the messages that a report may name, and the reports that a wallet can list. */
export const mostMessages = 20
export const mostOwnReports = 100
/** The maximum size of a report's copied messages as JSON, in bytes. */
export const mostEvidence = 256 * 1024
/** The maximum number of files that a report has of one message: those of two versions. */
export const mostEvidenceFiles = 20
/** The days after which a report ends that nobody closes. */
export const openReportDays = 365

/** The reason why a wallet reports something. */
const ReportReason = literals(
  ['spam', 'scam', 'abuse', 'impersonation', 'illegal', 'other', 'appeal'],
  'why; appeal: against what an operator did with the caller, and about nothing else',
)

/** Says what the service knows about a message that was reported. */
const Proof = literals(
  ['stored', 'opened', 'sealed', 'unproven', 'left_out'],
  'stored: the service has its text. opened: it was encrypted, and the key that was disclosed opens it. sealed: it is encrypted, and no key was disclosed. unproven: it is encrypted in a form that does not commit to its key, so no key proves what it says. left_out: the report has 256 KiB of messages already, so only its id was stored',
)

const Key = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}=?$|^[A-Za-z0-9+/]{43}=$',
  description: 'the 32 bytes of the key of a message, in base64',
  examples: ['pOCSkrZRwni5dyxWn1-puxPZBrRqtoyd-dwrRAn4ogk'],
})

// A person who reports a hidden text may copy it: the web client shows it with marks.
const ReportText = Text(1024, 'what the operators should know', {
  invisible: 'refused-from-programs',
  examples: ['It says that it is my bank'],
})

const NewReport = Type.Object(
  {
    peer: Type.Optional({ ...Address, description: 'the wallet that is reported' }),
    item_ids: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: mostMessages,
        uniqueItems: true,
        description: 'messages of one wallet that the caller can see, 20 at most: direct ones or posts',
        examples: [[42]],
      }),
    ),
    chat: Type.Optional({ ...Address, description: 'the chat that is reported: its `nftaddr`' }),
    reason: ReportReason,
    text: Type.Optional(ReportText),
    keys: Type.Optional(
      Type.Record(Type.String({ pattern: '^[0-9]{1,16}$' }), Key, {
        description:
          'for encrypted messages among them: the key of each that the caller discloses, by its id. No other message can be read with it',
        examples: [{ 42: 'pOCSkrZRwni5dyxWn1-puxPZBrRqtoyd-dwrRAn4ogk' }],
      }),
    ),
    block: Type.Optional(
      Type.Boolean({ description: 'whether the wallet is blocked too', examples: [true] }),
    ),
  },
  {
    $id: 'NewReport',
    description: 'One of `peer`, `item_ids` and `chat`, and a reason; for an appeal only the reason',
  },
)

/** A report as the wallet that made it reads it. */
export const Report = Type.Object(
  {
    id: Id,
    at: Timestamp,
    subject: Type.String({ ...Address, description: 'the wallet or chat that is reported' }),
    reason: ReportReason,
    text: Type.Optional(ReportText),
    status: literals(
      ['open', 'closed'],
      'open: no operator has decided yet. closed: one has decided; the report does not say what was done',
    ),
    items: Type.Array(Type.Object({ id: Id, proof: Proof }), {
      maxItems: mostMessages,
      description: 'the messages, and what the operators see of each',
      examples: [[{ id: 42, proof: 'stored' }]],
    }),
  },
  { $id: 'Report', description: 'What the caller reported' },
)
export type Report = Static<typeof Report>

const Bytes32 = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    maxLength: 43,
    description: `${description}, in base64 for URLs without padding`,
    examples: ['pOCSkrZRwni5dyxWn1-puxPZBrRqtoyd-dwrRAn4ogk'],
  })

const FileId = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    maxLength: 64,
    description,
    examples: ['Q2x5cmljIG9mIHRoZSBmaWxl'],
  })

const FileSize = (description: string) =>
  Type.Integer({ minimum: 0, maximum: mostFileBytes, description, examples: [5] })

const EvidenceFile = Type.Object({
  id: FileId('the id under which the service has its sealed bytes'),
  key: Bytes32('the key that opens it, and no other file'),
  hash: Bytes32('the SHA-256 of its sealed bytes: of any others the message says nothing'),
  name: Text(255, 'its name', { examples: ['key.jpg'] }),
  type: Text(127, 'its media type', { examples: ['image/jpeg'] }),
  size: FileSize('its bytes, once it is opened'),
  alt: Type.Optional(
    Text(3000, 'what it shows, in the words of the sender', { examples: ['a key on a table'] }),
  ),
})

/** A file of a message in the clear. */
const ClearFile = Type.Object({
  id: FileId('its id'),
  sha256: Sha256,
  name: Type.Optional(Text(255, 'its name', { examples: ['key.jpg'] })),
  type: Type.Optional(
    Text(127, 'its media type, where its first bytes say it', { examples: ['image/jpeg'] }),
  ),
  size: FileSize('its bytes'),
})

/** A message as it was disclosed to the operators. */
export const Evidence = Type.Object(
  {
    id: Id,
    fromaddr: Address,
    toaddr: Type.Optional({ ...Address, description: 'of a direct message its recipient' }),
    nftaddr: Type.Optional({ ...Address, description: 'the chat of a post' }),
    at: Timestamp,
    proof: Proof,
    message: Type.Optional(
      Text(maxMessageBytes, 'what it says, where that is proven', { examples: ['send me your seed'] }),
    ),
    earlier: Type.Optional(
      Type.Array(Text(maxMessageBytes, 'an earlier text', { examples: ['send me your key'] }), {
        maxItems: mostEdits,
        description: 'what stood in it in the clear before it was edited, oldest first: those that have room',
      }),
    ),
    files: Type.Optional(
      Type.Array(EvidenceFile, {
        maxItems: mostEvidenceFiles,
        description:
          'of an encrypted message that was opened: its files, with what opens each. An operator can check them',
      }),
    ),
    clear_files: Type.Optional(
      Type.Array(ClearFile, {
        maxItems: mostEvidenceFiles,
        description:
          'of a message in the clear: its files that are not sealed. An operator can block them by their hash',
      }),
    ),
  },
  { $id: 'Evidence', description: 'A message as it was disclosed to the operators' },
)
export type Evidence = Static<typeof Evidence>

// Spec gap: the interface has nobody to report to.
export const reports = endpoints({
  createReport: {
    method: 'POST',
    path: '/v1/reports',
    summary: 'Report a wallet, messages or a chat to the operators',
    description: `The operators see the messages that are named, as they are now, and nothing else of the conversation. Of an encrypted message they see the text only when its key is disclosed; the service opens its own copy with it, and the operators get the keys of its files too.

A second report of the same wallet or chat on the same day (UTC) adds its messages to the first, 20 in all, and is answered with that one, which is open again where there are any; its reason and text do not count. A message that the caller cannot see is 404.

A report has ${mostEvidence / 1024} KiB of copies at most: of the messages beyond, only the ids are stored (left_out). The copies count against the caller's quota of bytes.`,
    access: 'wallet',
    whenBanned: true,
    adds: 'You already have {most} contacts',
    quotas: ['bytes', 'reports'],
    body: NewReport,
    response: single(Report),
    idempotent: true,
  },
  listOwnReports: {
    method: 'GET',
    path: '/v1/reports',
    summary: `What the caller has reported, the latest first, ${mostOwnReports} at most`,
    access: 'wallet',
    whenBanned: true,
    response: Type.Array(Report, { maxItems: mostOwnReports }),
  },
})
