import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCursor } from './cursor.ts'

// This is a small model of a database: transactions begin, draw ids and end in any order, while a reader polls from time to time.
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'begin' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('draw' as const), which: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(), commit: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('poll' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  },
)

interface Transaction {
  xid: number
  ids: number[]
}

test('whatever the order in which ids become visible, each is read once and a position is never too far', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.array(step, { maxLength: 10 }), (steps, before) => {
      let nextXid = 100
      let nextId = 1
      const running: Transaction[] = []
      const visible = new Set<number>()
      const read: number[] = []

      const act = (s: (typeof steps)[number]) => {
        const tx = 'which' in s ? running[s.which % running.length] : undefined
        if (s.do === 'begin') running.push({ xid: nextXid++, ids: [] })
        else if (s.do === 'draw') tx?.ids.push(nextId++)
        else if (s.do === 'end' && tx) {
          running.splice(running.indexOf(tx), 1)
          if (s.commit) for (const id of tx.ids) visible.add(id)
        }
      }
      const seen = () => ({ xmin: Math.min(nextXid, ...running.map(({ xid }) => xid)), next: nextXid })

      for (const s of before) act(s)
      const head = Math.max(0, ...visible)
      const cursor = createCursor(head, seen())
      // Ids that were in flight below the head when the reading began are reported as lost, not one by one.
      const inFlight = new Set(running.flatMap(({ ids }) => ids).filter((id) => id < head))
      const atStart = new Set(visible)
      let lost = false

      const poll = (limit: number) => {
        const ranges = cursor.ranges()
        const found = [...visible]
          .filter((id) => ranges.some(({ low, high }) => id >= low && id <= high))
          .toSorted((a, b) => a - b)
        const ids = found.slice(0, limit)
        const answer = cursor.advance(ids, seen(), found.length < limit)
        lost ||= answer.lost
        for (const [i, id] of ids.entries()) {
          read.push(id)
          isSafe(answer.positions[i])
        }
        isSafe(cursor.position)
        return ids.length
      }
      const isSafe = (position: number | undefined) => {
        if (position === undefined) return
        const pending = running.flatMap(({ ids }) => ids)
        const missing = [...visible].filter(
          (id) => !read.includes(id) && !atStart.has(id) && !inFlight.has(id),
        )
        for (const id of [...pending, ...missing]) if (!inFlight.has(id)) expect(id).toBeGreaterThan(position)
      }

      for (const s of steps) {
        if (s.do === 'poll') poll(s.limit)
        else act(s)
      }
      while (running.length > 0) act({ do: 'end', which: 0, commit: true })
      while (poll(3) > 0);
      poll(3)

      expect(new Set(read).size).toBe(read.length)
      const due = [...visible].filter((id) => !atStart.has(id) && !inFlight.has(id))
      expect(read.toSorted((a, b) => a - b)).toEqual(due.toSorted((a, b) => a - b))
      if ([...inFlight].some((id) => visible.has(id))) expect(lost).toBe(true)
      expect(cursor.ranges().length).toBe(1)
      expect(cursor.position).toBe(Math.max(head, ...read))
    }),
    { numRuns: 2000 },
  )
})

test('holes without end are given up, and reported as a loss', () => {
  const cursor = createCursor(0, { xmin: 100, next: 100 })
  const ids = Array.from({ length: 1002 }, (_, i) => 2 * (i + 1))
  expect(cursor.advance(ids.slice(0, 900), { xmin: 100, next: 200 }, true).lost).toBe(false)
  expect(cursor.position).toBe(0)
  expect(cursor.advance(ids.slice(900), { xmin: 100, next: 200 }, true).lost).toBe(true)
  expect(cursor.position).toBe(2004)
})
