import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newCommunity } from '../../../testing/people/chat-members.ts'
import { addOperator } from '../../../testing/people/moderators.ts'
import { deleteBlobs, upload, useFiles } from '../../../testing/people/uploading.ts'
import { citusUrl } from '../../../testing/service/citus.ts'
import { newName, newWallet, type Service, useService } from '../../../testing/service/service.ts'
import { check } from './check.ts'

const service = useService()

const faultsIn = async ({ databaseUrl }: Service): Promise<string[]> => {
  const lines: string[] = []
  await check({ databaseUrl, onFault: ({ row, wrong }) => lines.push(`${row}: ${wrong.join('; ')}`) })
  return lines
}

const bytes = randomBytes(1000)

/** Sends a file, posts one, and leaves one that waits for a moderator. */
async function withFiles() {
  const town = newName('town')
  const [alice, bob] = await newCommunity(service, town, 1)
  const send = async () => {
    const { id } = await upload(alice.client, { toaddr: bob.address, name: 'secret plan' }, bytes)
    const body = { fromaddr: alice.address, toaddr: bob.address, message: 'look', files: [id] }
    return { file: id, message: (await alice.client.sendDirectMessage({ body }))[0]!.id }
  }
  const post = async ({ client, address }: typeof alice, message: string) => {
    const { id } = await upload(client, { nftaddr: town }, bytes)
    const body = { fromaddr: address, nftaddr: town, message, files: [id] }
    return { file: id, message: (await client.postGroupMessage({ body }))[0]!.id }
  }
  await alice.client.setChatRules({ nftaddr: town, body: { words: ['waiting'] } })
  return {
    alice,
    bob,
    town,
    sent: await send(),
    posted: await post(alice, 'look'),
    held: await post(bob, 'waiting'),
    send,
  }
}

test('files have no fault, whatever was done with them', async () => {
  const { alice, bob, town, posted, send } = await withFiles()
  expect(await faultsIn(service)).toEqual([])
  await alice.client.removePost({ nftaddr: town, id: posted.message })
  const operator = newWallet()
  await addOperator(service, operator)
  const asOperator = await service.as(operator)
  await asOperator.act({ body: { action: 'hold', subject: alice.address, reason: 'legal' } })
  const kept = await send()
  await bob.client.hideMessage({ id: kept.message })
  expect(await faultsIn(service)).toEqual([])
  await alice.client.deleteDirectMessage({ id: kept.message })
  expect(await faultsIn(service)).toEqual([])
  await upload(alice.client, { toaddr: bob.address }, bytes)
  await useFiles(service, [alice, bob], town)
  expect(await faultsIn(service)).toEqual([])
  await bob.client.eraseAccount({ address: bob.address })
  await deleteBlobs(service)
  expect(await faultsIn(service)).toEqual([])
})

test('whatever is wrong with a file is found and named by its row, and no name is shown', async () => {
  const { alice, bob, sent, posted, held } = await withFiles()
  const { db } = service.ctx
  /** Changes a row, sees what is then reported, and changes it back. */
  const finds = async (table: string, where: string, set: string, ...faults: string[]) => {
    const [column] = set.split(' ')
    const [kept] = await db.query<{ value: string | null; type: string }>(
      `select t.${column}::text as value, (
           select format_type(atttypid, atttypmod) from pg_attribute where attrelid = '${table}'::regclass and attname = '${column}'
         ) as type from ${table} t where ${where}`,
    )
    expect(
      await db.query(`update ${table} set ${set} where ${where} returning 1 as changed`),
      set,
    ).toHaveLength(1)
    const found = await faultsIn(service)
    expect(found, set).toEqual(faults)
    await db.query(`update ${table} set ${column} = $1::${kept!.type} where ${where}`, [kept!.value])
  }
  const file = `id = '${sent.file}'`
  const row = `files ${sent.file}`
  await finds(
    'files',
    file,
    'have = 999',
    `${row}: have is 999, where no part of its 1000 bytes ends; a message has it, but not all of it is there`,
  )
  await finds('files', file, `parts = '{}'`, `${row}: it has 0 parts, and 1 ends of parts`)
  await finds('files', file, `parts = parts || 'more'::text`, `${row}: it has 2 parts, and 1 ends of parts`)
  await finds(
    'files',
    file,
    'size = 2000',
    `${row}: a message has it, but not all of it is there`,
    `direct_messages ${sent.message}: it does not show file ${sent.file} as it is`,
    `wallet_files ${alice.address}: bytes is 2000, its files have 3000`,
  )
  await finds(
    'files',
    file,
    `name = 'other'`,
    `direct_messages ${sent.message}: it does not show file ${sent.file} as it is`,
  )
  await finds(
    'files',
    file,
    'item_id = null',
    `direct_messages ${sent.message}: it shows file ${sent.file}, which it does not have`,
  )
  await finds(
    'files',
    file,
    'item_id = 64',
    `${row}: its message 64 does not exist`,
    `direct_messages ${sent.message}: it shows file ${sent.file}, which it does not have`,
  )
  await finds(
    'files',
    file,
    `walletaddr = '${bob.address}'`,
    `${row}: its message ${sent.message} is of another wallet or place`,
    `wallet_files ${bob.address}: bytes is 1000, its files have 2000`,
  )
  for (const [table, { file: id, message }] of [
    ['direct_messages', sent],
    ['group_messages', posted],
    ['withheld_posts', held],
  ] as const) {
    const of = `id = ${message}`
    await finds(table, of, 'marks = 0', `${table} ${message}: it has files, but marks do not say so`)
    await finds(
      table,
      of,
      'files = null',
      `files ${id}: its message ${message} does not show it`,
      `${table} ${message}: marks say that it has files, but it has none`,
    )
  }
  await finds(
    'wallet_files',
    `walletaddr = '${bob.address}'`,
    'bytes = 999',
    `wallet_files ${bob.address}: bytes is 999, its files have 1000`,
  )
  // More than that is counted again by the hour.
  await finds('wallet_files', `walletaddr = '${bob.address}'`, 'bytes = 5000')
  const gone = `insert into blobs_gone select bucket, id, walletaddr, 0 from files where ${file}`
  await db.query(gone)
  expect(await faultsIn(service)).toEqual([`${row}: its bytes are being deleted`])
  // A cluster moves no row to another bucket.
  if (citusUrl !== undefined) return
  await db.query('update blobs_gone set bucket = 63 - bucket')
  expect(await faultsIn(service)).toEqual([
    expect.stringMatching(/^blobs_gone \S+: it lies in bucket \d+ instead of \d+$/),
  ])
  await db.query('delete from blobs_gone')
  const misplace = `update files set bucket = 63 - bucket where ${file}`
  await db.query(misplace)
  const misplaced = (await faultsIn(service)).join('\n')
  await db.query(misplace)
  expect(misplaced).toMatch(
    /^files \S+: it lies in bucket \d+ instead of \d+; it lies in another bucket than its place;/,
  )
  expect(misplaced).not.toContain('secret')
})
