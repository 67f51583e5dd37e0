// This is the least that an HTTP service on this framework does: a route that returns some bytes. It is a process of its own.

import fastify from 'fastify'

const app = fastify()
const answers = new Map<string, string>()
app.get<{ Params: { bytes: string } }>('/:bytes', async ({ params: { bytes } }, reply) => {
  const answer = answers.get(bytes) ?? JSON.stringify('x'.repeat(Math.max(0, Number(bytes) - 2)))
  answers.set(bytes, answer)
  return reply.type('application/json; charset=utf-8').send(answer)
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send!({ port: Number(new URL(url).port) })
process.on('disconnect', () => process.exit())
