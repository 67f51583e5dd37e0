// However frequent a word is, a search finds every message that has it, once and newest first.

import { expect } from 'vitest'
import { twoWallets } from '../../../../testing/people/two-wallets.ts'
import { onOneMachine } from '../../../../testing/service/engines.ts'
import { followAll } from '../../../../testing/service/log.ts'
import { newName, useService } from '../../../../testing/service/service.ts'
import { searchReader } from './reader.ts'

const service = useService()

/** Each word is in every nth message. */
const words = { often: 3, sometimes: 60, seldom: 400, rarely: 1500 }
const count = 3000
const text = Object.entries(words)
  .map(([word, n]) => `case when g % ${n} = 0 then ' ${word}' else '' end`)
  .join(' || ')

onOneMachine(
  'a word is found in all messages that have it, as frequent as it may be',
  async () => {
    const t = await twoWallets(service)
    const { db } = service.ctx
    await t.send('hello')
    await db.query(
      `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, read, ms)
     select bucket, conversation_id, nextval('item_numbers') * 64 + bucket, fromaddr, toaddr, 'note ' || g || ${text}, true, ms + g
     from direct_messages, generate_series(1, $2::integer) g where fromaddr = $1 order by g`,
      [t.alice, count],
    )
    const chats = [newName('town'), newName('town')]
    for (const nftaddr of chats) {
      await t.asBob.createCommunity({ body: { community: nftaddr } })
      await t.asBob.joinChat({ body: { walletaddr: t.bob, nftaddr } })
      await t.asBob.postGroupMessage({ body: { fromaddr: t.bob, nftaddr, message: 'hello' } })
      await db.query(
        `insert into group_messages (bucket, chat, id, fromaddr, message, ms)
       select bucket, chat, nextval('item_numbers') * 64 + bucket, fromaddr, 'post ' || g || ${text}, ms + g
       from group_messages, generate_series(1, $2::integer) g where chat = $1 order by g`,
        [nftaddr, count],
      )
    }
    await followAll(db, searchReader)

    /** Returns the ids of all hits, and how many requests that took. */
    const findAll = async (q: string, more: object) => {
      const ids: number[] = []
      for (let before: number | undefined, n = 1; ; n++) {
        const page = await t.asBob.search({
          body: { q, limit: 50, ...more, ...(before !== undefined && { before }) },
        })
        const hits = page.flatMap((one) => ('item' in one ? [one.item.id] : []))
        const rest = page.find((one) => !('item' in one)) as { searched_to?: number } | undefined
        ids.push(...hits)
        before = rest?.searched_to ?? hits.at(-1)
        if (hits.length < 50 && rest?.searched_to === undefined) return { ids, requests: n }
      }
    }
    const idsWith = async (word: string, table: string, where: string) =>
      (
        await db.query<{ id: number }>(
          `select id from ${table} where ${where} and message like '%' || $1 || '%'`,
          [word],
        )
      ).map(({ id }) => id)
    for (const word of Object.keys(words)) {
      const direct = await idsWith(word, 'direct_messages', `toaddr = '${t.bob}'`)
      const [one, other] = await Promise.all(
        chats.map((chat) => idsWith(word, 'group_messages', `chat = '${chat}'`)),
      )
      for (const [more, expected] of [
        [{}, [...direct, ...one!, ...other!]],
        [{ chat: chats[0] }, one!],
        [{ peer: t.alice }, direct],
      ] as const) {
        const { ids, requests } = await findAll(`"${word}"`, more)
        expect(ids, `${word} in ${JSON.stringify(more)}`).toEqual(expected.toSorted((a, b) => b - a))
        expect(requests).toBeLessThanOrEqual(Math.floor(expected.length / 50) + 1)
      }
    }
  },
  60_000,
)
