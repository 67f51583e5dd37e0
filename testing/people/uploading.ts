import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, FileState, NewFile } from '@parley/sdk'
import { findUnscanned, setScanned } from '../../server/src/features/files/store.ts'
import { tasks } from '../../server/src/features/files/tasks.ts'
import { takeBlockedFiles } from '../../server/src/messages/blocked-files.ts'
import type { Service } from '../service/service.ts'
import type { Person } from './reading.ts'

type About = Omit<NewFile, 'size' | 'sha256'>

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Begins to upload some bytes. */
export async function begin(client: Client, about: About, bytes: Uint8Array): Promise<FileState> {
  const [file] = await client.createFile({ body: { ...about, size: bytes.length, sha256: sha256(bytes) } })
  return file!
}

/** Uploads the part that follows. */
export async function putNext(
  client: Client,
  { id, offset, part }: FileState,
  bytes: Uint8Array<ArrayBuffer>,
) {
  const [file] = await client.putFilePart({
    file: id,
    query: { offset },
    body: bytes.subarray(offset, offset + part),
  })
  return file!
}

/** Uploads some bytes in parts as large as possible, or smaller ones, and returns the file. */
export async function upload(
  client: Client,
  about: About,
  bytes: Uint8Array<ArrayBuffer>,
  part?: number,
): Promise<FileState> {
  let file = await begin(client, about, bytes)
  while (file.offset < file.size) file = await putNext(client, { ...file, ...(part && { part }) }, bytes)
  return file
}

/** Reads the bytes of a file. */
export const download = async (client: Client, file: string): Promise<Buffer> =>
  Buffer.from(await new Response(await client.getFile({ file })).arrayBuffer())

/** Returns the paths of all parts on the disk of a service. */
export async function storedParts({ ctx }: Service): Promise<string[]> {
  const root = join(ctx.config.dataDir, 'files')
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
}

const job = () => ({ id: '1', createdAt: new Date(), signal: new AbortController().signal })

/** Deletes the bytes of files that were deleted, as the service does each minute. */
export const deleteBlobs = ({ ctx }: Service): Promise<unknown> => tasks['delete-blobs'](ctx, {}, job())

/** Deletes what is left of uploads, as the service does some hours later. */
export const sweepFiles = ({ ctx }: Service, hours = 0): Promise<unknown> =>
  tasks['sweep-files']({ ...ctx, db: { ...ctx.db, now: () => ctx.db.now() + hours * 3_600_000 } }, {}, job())

/** Uploads files, sends and posts some, deletes others, and does the work in the background. */
export async function useFiles(service: Service, [alice, bob]: [Person, Person], nftaddr: string) {
  const bytes = new Uint8Array(1000).fill(7)
  const message = { fromaddr: alice.address, toaddr: bob.address, message: 'a file' }
  const sent: number[] = []
  for (const idempotencyKey of ['file-1', 'file-2']) {
    const { id } = await upload(alice.client, { toaddr: bob.address, name: 'a.bin' }, bytes)
    // The second one is repeated.
    for (let n = 0; n < 2; n++) {
      const [item] = await alice.client.sendDirectMessage(
        { body: { ...message, files: [id] } },
        { idempotencyKey },
      )
      sent.push(item!.id)
    }
    await alice.client
      .sendDirectMessage({ body: { ...message, files: [id] } }, { idempotencyKey: 'no-file' })
      .catch(() => {})
    await download(bob.client, id)
  }
  const posted = await upload(alice.client, { nftaddr }, bytes)
  const post = { fromaddr: alice.address, nftaddr, message: 'a file', files: [posted.id] }
  for (let n = 0; n < 2; n++)
    await alice.client.postGroupMessage({ body: post }, { idempotencyKey: 'file-of-chat' })
  await alice.client.postGroupMessage({ body: post }).catch(() => {})
  await download(bob.client, posted.id)
  // One waits for its moderator, and one for nobody.
  await alice.client.setChatRules({ nftaddr, body: { words: ['waiting'] } })
  for (const approve of [true, false]) {
    const held = await upload(bob.client, { nftaddr }, bytes)
    const waiting = { fromaddr: bob.address, nftaddr, message: 'waiting', files: [held.id] }
    for (let n = 0; n < 2; n++)
      await bob.client.postGroupMessage({ body: waiting }, { idempotencyKey: `held-${held.id}` })
    await download(alice.client, held.id)
    const [asked] = await alice.client.listHeldPosts({ nftaddr })
    await alice.client.decideHeldPost({ nftaddr, id: asked!.id, body: { approve } })
  }
  await alice.client.setChatRules({ nftaddr, body: { words: [] } })
  const loose = await begin(alice.client, { toaddr: bob.address }, bytes)
  await alice.client.getFileState({ file: loose.id })
  await putNext(alice.client, { ...loose, offset: 1 }, bytes).catch(() => {})
  await alice.client.deleteFile({ file: loose.id })
  await begin(alice.client, { toaddr: bob.address }, bytes)
  await alice.client.deleteDirectMessage({ id: sent[0]! })
  await setScanned(service.ctx.db, posted.id)
  await findUnscanned(service.ctx.db)
  await takeBlockedFiles(service.ctx.db, sha256(bytes), [])
  await deleteBlobs(service)
  await sweepFiles(service, 25)
}
