import { expect, test } from 'vitest'
import { person, report, spammed, write } from '../../../../testing/people/report-people.ts'

/** These messages are as long as they may be; JSON doubles them. */
const long = '"'.repeat(32 * 1024)

test('a report copies 256 KiB at most: of what is beyond the ids are kept; lists read no copies', async () => {
  await using t = await spammed()
  const { db } = t.service.ctx
  const ids = [t.id]
  for (let n = 0; n < 6; n++) ids.push((await write(t.spammer, t.victim, long))[0]!.id)
  const [made] = await report(t.victim.client, { item_ids: ids.slice(0, 6) })
  const proofs = [...Array<string>(4).fill('stored'), 'left_out', 'left_out']
  expect(made!.items.map(({ proof }) => proof)).toEqual(proofs)
  // Messages that are added on the same day count too.
  const [more] = await report(t.victim.client, { item_ids: ids })
  expect(more!.items.map(({ id }) => id)).toEqual(ids)
  expect(more!.items.map(({ proof }) => proof)).toEqual([...proofs, 'left_out'])
  const { evidence, messages } = (await t.operator.client.getReport({ id: made!.id }))[0]!
  expect(messages).toBe(7)
  expect(evidence.map(({ message }) => message)).toEqual([
    'buy my coin',
    ...Array<string>(3).fill(long),
    ...Array<undefined>(3).fill(undefined),
  ])
  expect(evidence[6]).toMatchObject({ id: ids[6], fromaddr: t.spammer.address, toaddr: t.victim.address })
  const [{ bytes } = { bytes: 0 }] = await db.query<{ bytes: number }>(
    'select octet_length(evidence) as bytes from reports',
  )
  expect(bytes).toBeLessThan(260 * 1024)
  // A text that is no JSON would be an error where the copies were read.
  await db.query(`update reports set evidence = 'never read'`)
  expect(await t.victim.client.listOwnReports()).toEqual([more])
  expect(await t.query()).toMatchObject([{ id: made!.id, messages: 7 }])
  const body = { action: 'remove_message' as const, subject: t.spammer.address, reason: 'r' }
  await t.operator.client.act({ body: { ...body, report_ids: [made!.id], item_id: ids[6]! } })
})

test('what a report copies counts against the bytes of a day, once', async () => {
  const rate = { burst: 1000, perSecond: 1000 }
  await using t = await spammed({ rateLimits: true, writeLimit: rate, storedADay: 1 })
  const reported: number[][] = []
  for (let n = 0; n < 6; n++) {
    const spammer = await person(t.service)
    const ids = []
    for (let m = 0; m < 3; m++) ids.push((await write(spammer, t.victim, long))[0]!.id)
    reported.push(ids)
  }
  for (const item_ids of reported.slice(0, 4)) {
    await report(t.victim.client, { item_ids })
    // Nothing is added.
    await report(t.victim.client, { item_ids })
  }
  await report(t.victim.client, { item_ids: reported[4]! })
  await expect(report(t.victim.client, { item_ids: reported[5]! })).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('Your wallet may store 1 MiB a day'),
  })
  expect(await t.victim.client.listOwnReports()).toHaveLength(5)
})

test('a report that nobody closes is deleted after a year; more messages begin it anew', async () => {
  await using t = await spammed()
  const { db } = t.service.ctx
  const days = async () => {
    const [row] = await db.query<{ days: number }>(
      `select (expires_ms - $1) / 86400000.0::float8 as days from reports`,
      [db.now()],
    )
    return row!.days
  }
  const [made] = await report(t.victim.client, { item_ids: [t.id] })
  expect(await days()).toBeCloseTo(365, 0)
  await db.query('update reports set expires_ms = expires_ms - 86400000')
  const [second] = await write(t.spammer, t.victim, 'no')
  await report(t.victim.client, { item_ids: [second!.id] })
  expect(await days()).toBeCloseTo(365, 0)
  const body = { subject: t.spammer.address, reason: 'r', report_ids: [made!.id] }
  await t.operator.client.act({ body: { ...body, action: 'escalate' } })
  expect(await days()).toBeCloseTo(365, 0)
  await t.operator.client.act({ body: { ...body, action: 'acknowledge' } })
  expect(await days()).toBeCloseTo(90, 0)
})
