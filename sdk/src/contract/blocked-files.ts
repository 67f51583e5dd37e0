import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, Page, single, Text, Timestamp } from './fields.ts'

export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  description: 'the SHA-256 of the bytes of a file, as 64 lower-case hexadecimal digits',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

const Why = Text(512, 'why; operators read it, also in their log', {
  minLength: 1,
  invisible: 'refused',
  examples: ['Reported by the police'],
})

const NewBlockedFile = Type.Object(
  { sha256: Sha256, reason: Why },
  { $id: 'NewBlockedFile', description: 'A file that the service is to take no longer' },
)

export const BlockedFile = Type.Object(
  {
    id: Id,
    sha256: Sha256,
    at: Timestamp,
    operator: {
      ...Address,
      description:
        'who blocked it; `command-line` for the administrator of the service, `clamd` for its scanner',
    },
    reason: Text(512, 'why', { examples: ['Reported by the police'] }),
  },
  { $id: 'BlockedFile', description: 'A file that the service does not take' },
)
export type BlockedFile = Static<typeof BlockedFile>

// Spec gap: the interface has no files, and so nobody who could block one.
export const blockedFiles = endpoints({
  blockFile: {
    method: 'POST',
    path: '/v1/mod/blocked_files',
    summary: 'Block a file by its hash',
    description:
      'Uploads of a file with these bytes are refused after their last part (403). Those that messages have are 404 for everybody when the answer is there, and their bytes are deleted within minutes; under a legal hold the bytes stay until it ends. It is about files that are not encrypted: the service does not know what is in the others. One that is blocked already is returned as it is. The log of operators has an entry.',
    access: 'operator',
    recent: true,
    body: NewBlockedFile,
    response: single(BlockedFile),
    idempotent: true,
  },
  unblockFile: {
    method: 'DELETE',
    path: '/v1/mod/blocked_files/{sha256}',
    summary: 'Take a file again that was blocked',
    description: 'Files that were deleted stay deleted. The log of operators has an entry.',
    access: 'operator',
    recent: true,
    query: Type.Object({ reason: Type.Optional(Why) }),
  },
  listBlockedFiles: {
    method: 'GET',
    path: '/v1/mod/blocked_files',
    summary: 'The files that are blocked, the latest first',
    access: 'operator',
    query: Type.Object({ limit: Page.properties.limit, before: Page.properties.before }),
    response: Type.Array(BlockedFile),
    pages: true,
  },
})
