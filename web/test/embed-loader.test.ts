import { scopeStatement } from '@parley/sdk/sign-in-text.ts'
import { expect, test } from 'vitest'
import { pathOf } from '../src/embed/loader/path.ts'
import { statementOf } from '../src/embed/loader/statement.ts'
import { readPlace } from '../src/embed/place.ts'
import { scopesOf } from '../src/embed/scopes.ts'

const seller = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const contract = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'

const ask = (attributes: Record<string, string>) => pathOf((name) => attributes[name] ?? null)

test('the attributes of an element say what its frame shows, whatever their letters', () => {
  expect(ask({ to: '0xD8DA6BF26964AF9D7EED9E03E53415D37AA96045' })).toBe(`dm/${seller}`)
  const about = ask({ to: seller, nft: `1:${contract}:721` })!
  expect(about).toBe(`dm/${seller}?nft=${contract}&token=721&chain=1`)
  expect(readPlace(about)).toEqual({ kind: 'dm', peer: seller, nft: { nftaddr: contract, nftid: '721' } })
  expect(ask({ chat: 'Über uns' })).toBe('chat/%C3%9Cber%20uns')
  expect(ask({ comments: `${contract}:721` })).toBe(`comments/${contract}/721`)
  expect(ask({ nft: `137:${contract}:1` })).toBe(`owner/${contract}/1?chain=137`)
  expect(readPlace(`owner/${contract}/1?chain=137`)).toMatchObject({ kind: 'owner', chain: 137 })
  for (const none of [{}, { comments: contract }, { nft: contract }] as Record<string, string>[])
    expect(ask(none)).toBeUndefined()
})

test.for([
  'dm',
  'dm/',
  'chat',
  'comments/0xabc',
  'comments/0xabc/01',
  'comments/0xabc/1/2',
  'inbox/0xabc',
  'dm/%E0%A4',
])('a frame at %s shows nothing', (path) => {
  expect(readPlace(path)).toBeUndefined()
})

test.for([
  `dm/${seller}`,
  `dm/${seller}?nft=${contract}&token=1`,
  'chat/town',
  'chat/caf%C3%A9',
  `chat/${contract}`,
  `comments/${contract}/721`,
])('what the script lets a wallet sign for %s is what the SDK writes', (path) => {
  for (const domain of ['shop.example', 'localhost:5173'])
    expect(statementOf(path, domain)).toBe(scopeStatement(domain, scopesOf(path)))
})
