import fastify from 'fastify'
import { expect, test } from 'vitest'
import { newWallet, startService } from '../../../testing/service.ts'
import { openEvents } from './hub.ts'

test('when delivering fails, streams are cut off, and those that come back get what is new', async () => {
  await using service = await startService()
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
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const url = await app.listen({ port, host: '127.0.0.1' })
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
