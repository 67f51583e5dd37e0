// How much an answer may have, read from the contract: a new endpoint is covered the moment it is declared.

import { type Endpoint, endpoints } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { maxImageBytes } from '@parley/sdk/contract/images.ts'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { largest } from '../../testing/cases/largest-answer.ts'
import { JsonList } from '../src/db/pages.ts'
import type { Handlers } from '../src/http/endpoint.ts'

const MiB = 1024 * 1024

/** Items that are larger, and why. A page has one item at least. */
const largeItems: Record<string, { most: number; why: string }> = Object.fromEntries(
  ['getImage', 'createImage', 'createProfilePicture'].map((name) => [
    name,
    {
      most: 1.5 * maxImageBytes,
      why: 'a picture as it was sent; its bytes count while they wait for the reader',
    },
  ]),
)

const answers = Object.entries<Endpoint>(contract).filter(
  // An export is a stream of files. Of an event stream the model is one event.
  ([, { response, produces }]) =>
    response !== undefined && !['application/zip', 'application/octet-stream'].includes(produces ?? ''),
)

describe.each(answers)('%s', (name, { response, pages }) => {
  const unbounded: string[] = []
  const note = (part: string) => void unbounded.push(part)

  test(pages ? 'sends a list in pages, whose items have a limit' : 'has an answer of 1 MiB at most', () => {
    const model = pages ? (response as { items?: object }).items : response
    expect(model, 'an answer in pages is a list').toBeDefined()
    const bytes = largest(model!, pages ? '[]' : '', note)
    expect(unbounded, 'has no maxItems, no maxLength and no format').toEqual([])
    expect(bytes).toBeLessThanOrEqual(pages ? (largeItems[name]?.most ?? MiB) : MiB)
  })
})

test('a handler returns pages where the contract says so, and nowhere else, or it does not compile', () => {
  const entry = { method: 'GET', path: '/v1/a', summary: 'a', access: 'wallet' } as const
  const response = Type.Array(Type.String({ maxLength: 1 }))
  const feature = endpoints({
    long: { ...entry, response, pages: true },
    short: { ...entry, response },
  })
  type Both = Handlers<typeof feature>
  const pages = async () => new JsonList<string>([])
  const whole = async () => ['a']
  const right: Both = { long: pages, short: whole }
  // @ts-expect-error: a whole list, where the contract says pages
  const noPages: Both['long'] = whole
  // @ts-expect-error: pages, where the contract promises a short answer
  const unasked: Both['short'] = pages
  // @ts-expect-error: what only looks like pages has no limit
  const alike: Both['long'] = async () => ({ pages: [] })
  expect([right, noPages, unasked, alike]).toHaveLength(4)
})
