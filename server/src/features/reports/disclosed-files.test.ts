import { expect, test } from 'vitest'
import vectors from '../../../../docs/encryption-vectors.json' with { type: 'json' }
import { person, report, spammed, write } from '../../../../testing/people/report-people.ts'
import { mostEvidence } from '@parley/sdk/contract/reports.ts'
import { disclose } from './disclosed.ts'
import { merge } from './evidence.ts'

const { with_files: vector, alice, bob } = vectors
const { message, encrypted_sym_x_key, x_access_conditions } = vector.item
const key = Buffer.from(vector.message_key_hex, 'hex').toString('base64url')

/** These are the members by which operators open a file; not what a client shows before that. */
const shown = vector.files.map(({ id, key: ofFile, hash, name, type, size, alt }) => ({
  id,
  key: ofFile,
  hash,
  name,
  type,
  size,
  ...(alt !== undefined && { alt }),
}))

test('the key of a reported message shows operators its files, with the key of each; without it they see none', async () => {
  await using t = await spammed()
  const [from, to] = [await person(t.service, alice.address), await person(t.service, bob.address)]
  const [item] = await write(from, to, message, { encrypted_sym_x_key, x_access_conditions })
  const [closed] = await report(to.client, { item_ids: [item!.id] })
  const seen = async () => (await t.operator.client.getReport({ id: closed!.id }))[0]!.evidence
  expect(await seen()).toMatchObject([{ proof: 'sealed' }])
  expect(JSON.stringify(await seen())).not.toContain('key.jpg')
  await report(to.client, { item_ids: [item!.id], keys: { [item!.id]: key } })
  expect(await seen()).toMatchObject([{ proof: 'opened', message: vector.text, files: shown }])
  expect((await seen())[0]).not.toHaveProperty('files[0].preview')
  // Neither the reporter nor the log gets what the operators got.
  const others = [await to.client.listOwnReports(), await t.operator.client.listModerationLog({})]
  for (const { key: ofFile } of shown) expect(JSON.stringify(others)).not.toContain(ofFile)
})

test('files have no place in what another key opens, in a message in the clear, or where there are none', () => {
  const stored = { ...vector.item, encrypted_sym_x_key, x_access_conditions }
  expect(disclose(stored, Buffer.alloc(32).toString('base64url'))).toBeUndefined()
  expect(disclose(stored, key)).toEqual({ proof: 'opened', message: vector.text, files: shown })
  const clear = { ...stored, encrypted_sym_x_key: null, x_access_conditions: null, message: vector.body }
  expect(disclose(clear, undefined)).toEqual({ proof: 'stored', message: vector.body })
  const { item, message_key_hex, text } = vectors.version_2
  const without = disclose(item, Buffer.from(message_key_hex, 'hex').toString('base64url'))
  expect(without).toEqual({ proof: 'opened', message: text })
})

test('a file that an edit takes out after the first report of a day stays in it, and a new one comes to it', () => {
  const [first, second] = shown
  const one = { id: 1, fromaddr: 'a', at: '', proof: 'opened' as const, message: 'look', files: [first!] }
  const edited = { ...one, files: [second!] }
  const merged = merge([one], [edited])
  expect(merged).toEqual([{ ...one, files: [first, second] }])
  expect(merge(merged, [edited])).toEqual(merged)
  const { files: _files, ...bare } = one
  expect(merge([one], [{ ...bare, message: 'never mind' }])).toEqual([
    { ...one, message: 'never mind', earlier: ['look'] },
  ])
  const many = Array.from({ length: 30 }, (_, i) => ({ ...first!, id: `file-${i}` }))
  expect(merge([one], [{ ...one, files: many }])[0]!.files).toHaveLength(20)
})

test('a message that has no room in a report leaves none of its files there', () => {
  const one = { id: 1, fromaddr: 'a', at: '', proof: 'opened' as const, message: 'look', files: shown }
  const long = (id: number, size: number) => ({ ...one, id, files: [], message: 'x'.repeat(size) })
  const full = merge([], [long(2, mostEvidence / 2), long(3, mostEvidence / 2 - 400)])
  expect(full.map(({ proof }) => proof)).toEqual(['opened', 'opened'])
  expect(merge(full, [one]).at(-1)).toEqual({ id: 1, fromaddr: 'a', at: '', proof: 'left_out' })
})
