import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { expireBefore } from '../../../../testing/service/written-directly.ts'
import { newName, useService } from '../../../../testing/service/service.ts'
import { check } from '../../check/check.ts'

const service = useService()
const second = useService({ beside: service })

const step = fc.record({
  do: fc.constantFrom(
    ...(['post', 'hold', 'hold', 'approve', 'reject', 'remove', 'read', 'enter', 'expire'] as const),
  ),
  by: fc.nat({ max: 2 }),
  at: fc.nat({ max: 20 }),
})

interface Post {
  id: number
  by: number
  ms: number
  /** True when it waits for a moderator. */
  held: boolean
  /** True when nobody but its author ever sees it. */
  own: boolean
}

test('counts and lists are what a model says, with posts that wait, approved, rejected and removed ones, beside retention', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      const town = newName('town')
      const members = await newCommunity(service, town, 2)
      const [owner] = members
      await owner.rules({ words: ['wait'] })
      let posts: Post[] = []
      const seen = [0, 0, 0]
      const add = (sent: { id: number; timestamp: string }, by: number, held = false) =>
        posts.push({ id: sent.id, by, ms: Date.parse(sent.timestamp), held, own: held })
      for (const { do: action, by, at } of steps) {
        const one = members[by]!
        const post = posts[at % Math.max(posts.length, 1)]
        const waiting = posts.filter(({ held }) => held)
        const asked = waiting[at % Math.max(waiting.length, 1)]
        // A post of the owner never waits.
        if (action === 'post' || (action === 'hold' && by === 0)) add(await one.post(`post ${at}`), by)
        else if (action === 'hold') add(await one.post(`wait ${at}`), by, true)
        else if (action === 'approve' && asked) {
          await owner.decide(asked.id, true)
          posts = posts.filter((other) => other !== asked)
          const last = (await owner.read({ enter: false })).at(-1)!
          add(last, asked.by)
        } else if (action === 'reject' && asked) {
          await owner.decide(asked.id, false)
          asked.held = false
        } else if (action === 'remove' && post) {
          await members[post.by]!.remove(post.id)
          post.held = false
        } else if (action === 'read' && post) {
          await one.client.markReadTo({
            addr: town,
            body: { id: post.id, context_type: 'community' },
          })
          seen[by] = Math.max(seen[by]!, post.id)
        } else if (action === 'enter') {
          await one.read()
          seen[by] = Math.max(seen[by]!, ...posts.map(({ id }) => id))
        } else if (action === 'expire' && post) {
          await expireBefore(at % 2 ? service : second, post.ms)
          posts = posts.filter(({ ms }) => ms >= post.ms)
        }
        for (const [n, each] of members.entries()) {
          const visible = posts.filter((p) => !p.own || p.by === n).toSorted((a, b) => a.id - b.id)
          expect((await each.read({ enter: false })).map(({ id }) => id)).toEqual(visible.map(({ id }) => id))
          expect(await each.unread()).toBe(visible.filter((p) => p.by !== n && p.id > seen[n]!).length)
        }
        expect((await owner.held()).map(({ id }) => id)).toEqual(
          posts.filter(({ held }) => held).map(({ id }) => id),
        )
      }
    }),
    { numRuns: Number(process.env.HISTORIES ?? 10) },
  )
  const faults: string[] = []
  await check({
    databaseUrl: service.databaseUrl,
    onFault: ({ row, wrong }) => faults.push(`${row}: ${wrong.join('; ')}`),
  })
  expect(faults).toEqual([])
})
