import fastify from 'fastify'
import { expect, test } from 'vitest'
import { onOneMachine } from '../../../testing/service/engines.ts'
import { freePort } from '../../../testing/service/ports.ts'
import { newWallet, useService } from '../../../testing/service/service.ts'
import type { Standby } from '../db/standby.ts'
import { openEvents } from './hub.ts'

const service = useService()

test('when delivering fails, streams are cut off, and those that come back get what is new', async () => {
  const { db, log } = service.ctx
  let failures = 1
  const toWire = (json: string | Buffer) => {
    if (failures-- > 0) throw new Error('on purpose')
    return String(json)
  }
  await using events = openEvents({
    db,
    gate: service.ctx.gate,
    url: service.databaseUrl,
    log,
    toWire,
  })
  const wallet = newWallet()
  const app = fastify()
  app.get('/', (_request, reply) => events.stream(reply, { wallet, isOver: () => false, after: undefined }))
  const url = await app.listen({ port: await freePort(), host: '127.0.0.1' })
  const client = await service.as(wallet)
  const send = async (message: string) => {
    await client.sendDirectMessage({ body: { fromaddr: wallet, toaddr: wallet, message } })
    events.poke()
  }
  const open = async () => (await fetch(url)).body!.pipeThrough(new TextDecoderStream()).getReader()

  const first = await open()
  await send('one')
  await expect(
    (async () => {
      while (!(await first.read()).done);
    })(),
  ).rejects.toThrow(/terminated|closed/)

  const second = await open()
  await send('two')
  let text = ''
  while (!text.includes('"two"')) text += (await second.read()).value ?? ''
  expect(text).not.toContain('"one"')
  events.endStreams()
  await second.cancel()
  await app.close()
})

test('a request for a stream ends when its client leaves while the end of the log is read for it', async () => {
  const { db, gate, log } = service.ctx
  const position = Promise.withResolvers<bigint>()
  const isRead = Promise.withResolvers<void>()
  const following = {
    db,
    want: () => {},
    wantAll: () => {
      isRead.resolve()
      return position.promise
    },
    isBehind: false,
    shown: undefined,
  }
  const standby = { ...({} as Standby), follow: () => following }
  await using events = openEvents({ db, standby, gate, url: service.databaseUrl, log, toWire: String })
  const app = fastify()
  const hasLeft = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  app.get('/', (_request, reply) => {
    reply.raw.once('close', hasLeft.resolve)
    const stream = events.stream(reply, { wallet: newWallet(), isOver: () => false, after: undefined })
    void stream.finally(ended.resolve)
    return stream
  })
  const url = await app.listen({ port: await freePort(), host: '127.0.0.1' })
  const leave = new AbortController()
  const response = fetch(url, { signal: leave.signal }).catch(() => {})
  await isRead.promise
  leave.abort()
  await Promise.all([response, hasLeft.promise])
  position.resolve(0n)
  await ended.promise
  await app.close()
})

// It holds a statement back that the log of a cluster does not have.
onOneMachine(
  'a stream that resumes while an older poll is being delivered shows no message that is gone',
  async () => {
    const { db, log, gate } = service.ctx
    const late = Promise.withResolvers<void>()
    const polled = Promise.withResolvers<void>()
    let holds = false
    const isPoll = (rows: object[]) => rows.some((row) => 'xmin' in row && 'json' in row && row.json)
    await using events = openEvents({
      db: {
        ...db,
        // The poll that has found the message comes back when a stream has read what it missed.
        async query<Row extends object>(sql: string, values?: unknown[], as?: 'bytes') {
          const rows = await db.query<Row>(sql, values, as)
          if (sql.includes('as forgotten')) setTimeout(late.resolve, 100)
          else if (holds && isPoll(rows)) {
            polled.resolve()
            await late.promise
          }
          return rows
        },
      },
      gate,
      url: service.databaseUrl,
      log,
      toWire: String,
    })
    const wallet = newWallet()
    const app = fastify()
    app.get<{ Querystring: { after?: string } }>('/', (request, reply) => {
      const after = request.query.after === undefined ? undefined : Number(request.query.after)
      return events.stream(reply, { wallet, isOver: () => false, after })
    })
    const url = await app.listen({ port: await freePort(), host: '127.0.0.1' })
    const client = await service.as(wallet)
    const keepsReading = await fetch(url)
    holds = true
    const [item] = await client.sendDirectMessage({
      body: { fromaddr: wallet, toaddr: wallet, message: 'gone soon' },
    })
    events.poke()
    await polled.promise
    await client.deleteDirectMessage({ id: item!.id })
    holds = false

    const stream = (await fetch(`${url}?after=0`)).body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('"deleted"')) text += (await stream.read()).value ?? ''
    await client.sendDirectMessage({ body: { fromaddr: wallet, toaddr: wallet, message: 'the last one' } })
    events.poke()
    while (!text.includes('the last one')) text += (await stream.read()).value ?? ''
    expect(text).not.toContain('gone soon')
    events.endStreams()
    await stream.cancel()
    await keepsReading.body!.cancel()
    await app.close()
  },
)
