import { type Static, Type } from 'typebox'
import { mostFiles } from '../files/attached.ts'
import { endpoints } from './endpoint.ts'
import { described } from './described-file.ts'
import { Address, single, Text } from './fields.ts'

/** A part of a file has this many bytes at most: 4 MiB. */
export const filePartBytes = 4 * 1024 * 1024

/** A file has about this many parts at most, where they may be smaller than 4 MiB. */
const mostParts = 400

/** Returns the bytes that a part of a file has at least, except the last one: 64 KiB, or more of a file above 25 MiB. */
export const leastPartBytes = (size: number): number =>
  Math.min(filePartBytes, Math.max(64 * 1024, Math.ceil(size / mostParts)))

export { mostFiles }

const FileId = Type.String({
  pattern: '^[\\w-]{23}$',
  maxLength: 23,
  description: 'the id of a file, as the service gave it',
  examples: ['q1vJ3mT8cK0yWz5uXb2RsAw'],
})

const fileName = {
  format: 'text',
  description:
    'the name of the file, for a download: at most 255 bytes of UTF-8, no control characters, no slashes; absent when it is sealed',
  examples: ['garden.png'],
}

/** A file of a message. */
export const FileItem = Type.Object(
  {
    id: FileId,
    size: Type.Integer({ minimum: 1, description: 'its bytes', examples: [48_213] }),
    type: Type.Optional(
      Type.String({
        maxLength: 128,
        description: 'the media type that the service has recognised by its bytes; absent for another one',
        examples: ['image/png'],
      }),
    ),
    name: Type.Optional(Type.String({ ...fileName, maxLength: 255 })),
    sealed: Type.Optional(
      Type.Literal(true, { description: 'present when the client has encrypted it', examples: [true] }),
    ),
    ...described,
  },
  // Without an `$id`: an event has the model of two kinds of messages, and each has this one.
  { description: 'A file of a message' },
)
export type FileItem = Static<typeof FileItem>

/** A message has this field when it has files. */
export const attached = {
  files: Type.Optional(
    Type.Array(FileItem, {
      minItems: 1,
      maxItems: mostFiles,
      description: 'its files, in the order of the request; absent without any',
    }),
  ),
}

/** A row of an inbox has this field when its last message has files. */
export const attachedToLast = {
  files: Type.Optional(
    Type.Array(FileItem, {
      minItems: 1,
      maxItems: mostFiles,
      description: 'the files of the last message, without `alt` and `thumbhash`; absent without any',
    }),
  ),
}

// Spec gap: the interface has no files. A message with files has a text too, as any message: an older client then shows something.
/** A message to send names its files so. */
export const newFiles = {
  files: Type.Optional(
    Type.Array(FileId, {
      minItems: 1,
      maxItems: mostFiles,
      uniqueItems: true,
      description:
        'the ids of 1 to 10 files that the sender has uploaded for this conversation or chat, and sent with no message yet',
      // An example would be no file of the sender.
      examples: [],
    }),
  ),
}

const NewFile = Type.Object(
  {
    toaddr: Type.Optional(
      Type.String({
        ...Address,
        description: 'the wallet in whose conversation with the caller the file is sent',
      }),
    ),
    nftaddr: Type.Optional(
      Type.String({
        ...Address,
        description: 'else the chat in which it is sent: an NFT contract, or the name of a community',
        // A request has one of both.
        examples: [],
      }),
    ),
    size: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'its bytes: 1 or more',
      examples: [48_213],
    }),
    sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'the SHA-256 of its bytes, as 64 lower-case hexadecimal digits',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    name: Type.Optional(
      Text(255, 'the name of the file without folders, for a download; not for a sealed one', {
        minLength: 1,
        pattern: '^[^/\\\\\\t\\r\\n]+$',
        invisible: 'refused',
        examples: ['garden.png'],
      }),
    ),
    sealed: Type.Optional(
      Type.Boolean({
        description: 'true when the client has encrypted it: the service then serves bytes without a type',
        examples: [false],
      }),
    ),
    ...described,
    alt: Type.Optional(
      Text(1000, 'what it shows, for somebody who cannot see it', {
        minLength: 1,
        invisible: 'refused',
        examples: ['A garden behind a white wall'],
      }),
    ),
  },
  { $id: 'NewFile', description: 'A file to upload, for one conversation or one chat' },
)
export type NewFile = Static<typeof NewFile>

export const FileState = Type.Object(
  {
    ...FileItem.properties,
    offset: Type.Integer({
      minimum: 0,
      description: 'how many of its bytes are stored: the next part begins there',
      examples: [0],
    }),
    part: Type.Integer({
      minimum: 1,
      description: 'the bytes of a part at most: 4 MiB',
      examples: [filePartBytes],
    }),
    least_part: Type.Integer({
      minimum: 1,
      description:
        'the bytes of a part at least: 64 KiB, or more of a file above 25 MiB. Only the last part of a file may be shorter',
      examples: [leastPartBytes(1)],
    }),
  },
  { $id: 'FileState', description: 'How much of a file is stored' },
)
export type FileState = Static<typeof FileState>

const PartOffset = Type.Object({
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'where the part begins: the number of bytes that are stored already; 0 when left out',
      examples: [0],
    }),
  ),
})

export const files = endpoints({
  createFile: {
    method: 'POST',
    path: '/v1/files',
    summary: 'Begin to upload a file for one conversation or chat',
    description:
      'Give `toaddr` or `nftaddr`. Its bytes follow with `PUT /v1/files/{file}`, then a message of the caller in the same place names it in `files`. A file that no message has is deleted after 24 hours.',
    access: 'wallet',
    scope: ['dm:send', 'dm:begin', 'dm', 'chat:post', 'chat'],
    place: { peer: ['toaddr'], chat: ['nftaddr'] },
    quotas: ['bytes', 'files'],
    adds: 'Your files already have {most} MiB',
    body: NewFile,
    response: single(FileState),
    idempotent: true,
  },
  putFilePart: {
    method: 'PUT',
    path: '/v1/files/{file}',
    summary: 'Upload the next part of a file',
    description:
      'The body is the bytes themselves from `offset` on: at most 4 MiB, and at least `least_part` of the file, or all that are left. A body without `Content-Length` has 4 MiB or all that are left. Smaller parts lose less where a connection breaks, and larger ones need fewer requests. A 2xx says that they are on the disk. Another offset than the next one is 409, with the state of the file in `current`. After the last part the service compares the hash: where it is another one, the file is deleted and the answer is 400.',
    access: 'wallet',
    scope: 'any',
    query: PartOffset,
    consumes: 'application/octet-stream',
    maxBody: filePartBytes,
    response: single(FileState),
    changes: 0,
  },
  getFileState: {
    method: 'GET',
    path: '/v1/files/{file}/state',
    summary: 'How much of a file is stored, for its uploader',
    description: 'An upload that broke off continues at `offset`.',
    access: 'wallet',
    scope: 'any',
    response: single(FileState),
  },
  deleteFile: {
    method: 'DELETE',
    path: '/v1/files/{file}',
    summary: 'Delete a file that no message has',
    description: 'Files of a message are deleted with the message: then it is 409.',
    access: 'wallet',
    scope: 'any',
  },
  getFile: {
    method: 'GET',
    path: '/v1/files/{file}',
    summary: 'The bytes of a file, for all who may read its message',
    description:
      'Before it is sent only its uploader reads it. `Range` with one range is answered by 206. Pictures (PNG, JPEG, GIF, WebP, AVIF), MP4, WebM, MP3 and Ogg that the service has recognised have their type; all others come as `application/octet-stream` to be saved. A page must not take an address with a token: fetch the file with the header, and show the bytes.',
    access: 'wallet',
    scope: ['inbox:read', 'dm:read', 'dm', 'chat:read', 'chat'],
    place: 'handler',
    response: Type.Unsafe<ReadableStream<Uint8Array>>(
      Type.String({
        contentMediaType: 'application/octet-stream',
        description: 'the bytes of the file; the SDK gives them as a stream',
        examples: ['…'],
      }),
    ),
    produces: 'application/octet-stream',
  },
})
