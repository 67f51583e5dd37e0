import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newWallet, startService, useService } from '../../../../testing/service/service.ts'
import { findXUsername, readTweets, refreshTweets } from './tweets.ts'

const shared = useService()

const xBearerToken = 'AAAA-the-secret-token%3D'
const account = {
  id: '2244994945',
  name: 'Parley',
  username: 'parley',
  profile_image_url: 'https://pbs.twimg.com/profile_images/1/a_normal.jpg',
}
const posts = {
  data: [
    {
      id: '1460323737035677698',
      text: 'gm 👋 &amp; welcome',
      author_id: account.id,
      created_at: '2026-11-20T18:30:00.000Z',
      edit_history_tweet_ids: ['1460323737035677698'],
      attachments: { media_keys: ['3_1460323737035677690', '3_9'] },
    },
    {
      id: '1460323737035677600',
      text: 'first',
      author_id: account.id,
      created_at: '2026-11-19T18:30:00.000Z',
      edit_history_tweet_ids: ['1460323737035677600'],
    },
  ],
  includes: {
    users: [account],
    media: [{ media_key: '3_1460323737035677690', type: 'photo' }],
  },
  meta: { result_count: 2, newest_id: '1460323737035677698', oldest_id: '1460323737035677600' },
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Starts a server that answers in the shape of the X API v2, for a community of its own. */
async function withX(service = shared) {
  const requests: { path: string; query: URLSearchParams; authorization: string | undefined }[] = []
  const answers: { account: Answer; posts: Answer } = { account: json({ data: account }), posts: json(posts) }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x')
    requests.push({ path: pathname, query: searchParams, authorization: request.headers.authorization })
    const answer = pathname.startsWith('/2/users/by/username/') ? answers.account : answers.posts
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const xApiUrl = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
  const ctx = { ...service.ctx, config: { ...service.ctx.config, xApiUrl, xBearerToken }, log }
  const { db } = ctx
  const own = newWallet()
  return {
    service,
    chat: own,
    ctx,
    answers,
    requests,
    lines,
    server,
    xApiUrl,
    refresh: (chat = own, username = 'parley') => refreshTweets(ctx, chat, username),
    read: (chat = own) => readTweets(db, chat),
    /** Makes what was fetched older by some seconds. */
    age: (seconds: number) =>
      db.query('update community_tweets set claimed_ms = claimed_ms - $1 where chat = $2', [
        seconds * 1000,
        own,
      ]),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const shown = [
  {
    id: '1460323737035677698',
    text: 'gm 👋 &amp; welcome',
    author_id: '2244994945',
    created_at: '2026-11-20T18:30:00.000Z',
    attachments: { media_keys: ['3_1460323737035677690', '3_9'] },
    media: { media_keys: ['3_1460323737035677690'] },
    user: account,
  },
  {
    id: '1460323737035677600',
    text: 'first',
    author_id: '2244994945',
    created_at: '2026-11-19T18:30:00.000Z',
    attachments: { media_keys: [] },
    media: { media_keys: [] },
    user: account,
  },
]

test('posts are fetched once, in the shape of the interface, for all who read them', async () => {
  await using t = await withX()
  expect(await t.read()).toEqual([])
  await t.refresh()
  expect(await t.read()).toEqual(shown)
  expect(await t.read('other')).toEqual([])
  const [first, second] = t.requests
  expect(t.requests).toHaveLength(2)
  expect([first!.path, first!.query.get('user.fields')]).toEqual([
    '/2/users/by/username/parley',
    'profile_image_url',
  ])
  expect([second!.path, second!.query.get('expansions')]).toEqual([
    '/2/users/2244994945/tweets',
    'author_id,attachments.media_keys',
  ])
  expect(new Set(t.requests.map(({ authorization }) => authorization))).toEqual(
    new Set([`Bearer ${xBearerToken}`]),
  )
})

test('for five minutes nothing is fetched again, then it is', async () => {
  await using t = await withX()
  await t.refresh()
  await t.age(298)
  await t.refresh()
  expect(t.requests).toHaveLength(2)
  t.answers.posts = json({ ...posts, data: posts.data.slice(1) })
  await t.age(3)
  await t.refresh()
  expect(t.requests).toHaveLength(4)
  expect(await t.read()).toEqual(shown.slice(1))
})

test('of many that refresh at once, on two instances, one fetches', async () => {
  await using t = await withX()
  await using second = await startService({ beside: t.service, xApiUrl: t.xApiUrl, xBearerToken })
  const all = () =>
    Promise.all(
      Array.from({ length: 20 }, (_, i) => refreshTweets(i % 2 ? t.ctx : second.ctx, t.chat, 'parley')),
    )
  await all()
  expect(t.requests).toHaveLength(2)
  await t.age(360)
  await all()
  expect(t.requests).toHaveLength(4)
  expect(await readTweets(second.ctx.db, t.chat)).toEqual(shown)
})

test('without a token, or with a name that is none, nothing is asked', async () => {
  await using t = await withX()
  await refreshTweets({ ...t.ctx, config: { ...t.ctx.config, xBearerToken: undefined } }, t.chat, 'parley')
  for (const username of ['', '../../2/tweets', 'a b', 'sixteen_letters_', 'é', '@parley'])
    await t.refresh(t.chat, username)
  expect(t.requests).toEqual([])
  expect(await t.ctx.db.query('select 1 as one from community_tweets where chat = $1', [t.chat])).toEqual([])
})

test('an account that is gone, hides its posts, or has none shows none', async () => {
  await using t = await withX()
  const errors = [{ title: 'Not Found Error', type: 'https://api.twitter.com/2/problems/resource-not-found' }]
  for (const [account_, posts_] of [
    [{ errors }, posts],
    [{ data: account }, { errors }],
    [{ data: account }, { meta: { result_count: 0 } }],
  ]) {
    await t.refresh()
    expect(await t.read()).toEqual(shown)
    t.answers.account = json(account_)
    t.answers.posts = json(posts_)
    await t.age(360)
    await t.refresh()
    expect(await t.read()).toEqual([])
    t.answers.account = json({ data: account })
    t.answers.posts = json(posts)
    await t.age(360)
  }
  expect(t.lines).toEqual([])
})

const big = JSON.stringify({ data: [{ ...posts.data[0], text: 'x'.repeat(2_000_000) }] })
test.concurrent.each<[string, Answer, RegExp]>([
  ['fails', json({ title: 'Internal Server Error' }, 500), /answered 500/],
  ['does not accept the token', json({ title: 'Unauthorized', status: 401 }, 401), /answered 401/],
  ['is overloaded', json({}, 503), /answered 503/],
  ['answers no JSON', (_, response) => response.end('<html>'), /not documented/],
  ['answers nothing', (_, response) => response.end(), /not documented/],
  ['answers another shape', json({ data: 'gm' }), /not documented/],
  ['answers null', json(null), /not documented/],
  ['answers an empty object', json({}), /not documented/],
  ['answers too much', (_, response) => response.end(big), /more than 1048576 bytes/],
  [
    'sends us elsewhere',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    /did not answer/,
  ],
  ['hangs up', (request) => request.socket.destroy(), /did not answer/],
  ['hangs', () => {}, /time-out/],
  ['stops in the middle', (_, response) => response.write('{"data":['), /time-out/],
])(
  'when X %s, what was there stays, the log says why without the token, and five minutes pass',
  async (_, answer, reason) => {
    await using t = await withX()
    await t.refresh()
    for (const part of ['account', 'posts'] as const) {
      const { [part]: good } = t.answers
      t.answers[part] = answer
      await t.age(360)
      t.lines.length = 0
      const asked = t.requests.length
      await t.refresh()
      expect(await t.read()).toEqual(shown)
      expect(t.lines).toHaveLength(1)
      expect(t.lines[0]).toMatch(reason)
      expect(t.lines[0]).not.toContain(xBearerToken)
      await t.refresh()
      expect(t.requests.length).toBe(asked + (part === 'account' ? 1 : 2))
      t.answers[part] = good
    }
  },
  20_000,
)

test('after a 429 of X, no instance asks for any community until X allows it', async () => {
  await using service = await startService()
  await using t = await withX(service)
  await using second = await startService({ beside: t.service, xApiUrl: t.xApiUrl, xBearerToken })
  const pausedFor = async () => {
    const [row] = await t.ctx.db.query<{ seconds: number }>(
      'select (paused_until_ms - $1) / 1000.0::float8 as seconds from x_api_pause',
      [t.ctx.db.now()],
    )
    await t.ctx.db.query(`delete from x_api_pause`)
    return row?.seconds
  }
  const limited = (reset?: string) =>
    json({ title: 'Too Many Requests' }, 429, reset === undefined ? {} : { 'x-rate-limit-reset': reset })
  const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)

  t.answers.posts = limited(inSeconds(600))
  await t.refresh()
  await t.refresh('apes')
  await refreshTweets(second.ctx, 'cats', 'parley')
  expect(t.requests).toHaveLength(2)
  const seconds = await pausedFor()
  expect(seconds).toBeGreaterThan(590)
  expect(seconds).toBeLessThan(601)

  // A header that is missing, past, far off or no number is not used.
  for (const [reset, least, most] of [
    [undefined, 890, 901],
    ['soon', 890, 901],
    [inSeconds(-5), 50, 61],
    [inSeconds(1e8), 890, 901],
  ] as const) {
    t.answers.posts = limited(reset)
    await t.age(360)
    await t.refresh()
    const paused = await pausedFor()
    expect(paused).toBeGreaterThan(least)
    expect(paused).toBeLessThan(most)
  }
  t.answers.posts = json(posts)
  await t.age(360)
  await t.refresh()
  expect(await t.read()).toEqual(shown)
})

test('what is not as documented in a good answer is passed over, and nothing in it harms', async () => {
  await using t = await withX()
  const [post] = posts.data
  const evil = {
    ...account,
    id: '66',
    name: 'a\0b\ud800',
    username: 'not a handle',
    profile_image_url: 'javascript:alert(1)',
  }
  t.answers.posts = json({
    ...posts,
    includes: { users: [null, { id: 5 }, account, evil], media: ['x', { media_key: 7 }] },
    data: [
      null,
      'gm',
      { ...post, id: 5 },
      { ...post, text: undefined },
      { ...post, text: 'x'.repeat(30_001) },
      { ...post, created_at: 'yesterday' },
      { ...post, attachments: { media_keys: 'all' } },
      { ...post, id: '1', text: 'a\0b\ud800c', author_id: '66', extra: '<script>' },
      { ...post, id: '2', author_id: '67' },
      ...Array.from({ length: 20 }, (_, i) => ({ ...post, id: String(100 + i) })),
    ],
  })
  await t.refresh()
  const tweets = await t.read()
  expect(tweets).toHaveLength(10)
  expect(tweets[0]).toEqual({
    ...shown[0],
    id: '1',
    text: 'ab\ufffdc',
    author_id: '66',
    media: { media_keys: [] },
    user: { id: '66', name: 'ab\ufffd', username: '', profile_image_url: '' },
  })
  expect(tweets[1]!.user).toEqual({ id: '67', name: '', username: '', profile_image_url: '' })
})

test("a community that changes its account does not show the other's posts, nor asks all the time", async () => {
  await using t = await withX()
  await t.refresh()
  await t.refresh(t.chat, 'another')
  expect(t.requests).toHaveLength(2)
  await t.age(31)
  t.answers.posts = json({}, 500)
  await t.refresh(t.chat, 'another')
  expect(t.requests.at(-2)!.path).toBe('/2/users/by/username/another')
  expect(await t.read()).toEqual([])
})

test('a refresh never rejects, also when the database is away', async () => {
  await using t = await withX()
  const db = { ...t.ctx.db, query: () => Promise.reject(new Error('Connection terminated')) }
  await refreshTweets({ ...t.ctx, db }, t.chat, 'parley')
  expect(t.lines).toEqual([expect.stringContaining('Connection terminated')])
})

test('the X account is found among the socials of a community', () => {
  for (const [social, expected] of [
    [[{ type: 'twitter', username: 'parley' }], 'parley'],
    [[{ type: 'X', username: ' @parley ' }], 'parley'],
    [[{ type: 'twitter', username: 'https://twitter.com/parley/' }], 'parley'],
    [[{ type: 'x', username: 'https://www.x.com/@parley' }], 'parley'],
    [
      [
        { type: 'discord', username: 'x' },
        { type: 'twitter', username: 'not a handle' },
        { type: 'x', username: 'ok' },
      ],
      'ok',
    ],
    [[{ type: 'twitter', username: 'https://evil.example/parley' }], undefined],
    [[{ type: 'twitter', username: 'sixteen_letters_' }], undefined],
    [[], undefined],
  ] as const)
    expect(findXUsername([...social])).toBe(expected)
})
