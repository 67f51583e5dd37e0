import { expect, test } from 'vitest'
import { contract } from './index.ts'
import type { Endpoint } from './endpoint.ts'

test('no text promises a number for a limit, because settings change the limits', () => {
  const promises = Object.entries<Endpoint>(contract).filter(([, { summary, description = '' }]) =>
    /\d[^.;]* (an hour|a day|a minute|a second|at once)\b/.test(`${summary}. ${description}`),
  )
  expect(promises.map(([name]) => name)).toEqual([])
})
