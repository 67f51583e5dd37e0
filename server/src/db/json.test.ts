import { expect, test } from 'vitest'
import { useService } from '../../../testing/service/service.ts'
import {
  jsonBlank,
  jsonBoolean,
  jsonConstant,
  jsonEither,
  jsonObject,
  jsonOptional,
  jsonOrBlank,
  jsonText,
  jsonTimestamps,
} from './json.ts'

const service = useService()

test('the SQL of a row joins its constant text', () => {
  expect(
    jsonObject('m.id', jsonConstant('type', 'message'), jsonText('message', 'm.message')),
  ).toMatchInlineSnapshot(
    `"((('{"id":' || (m.id)::text) || ',"type":"message","message":') || (to_json(m.message)::text || '}'))"`,
  )
  expect(jsonObject('m.id', jsonBoolean('read', 'm.read'))).toMatchInlineSnapshot(
    `"(('{"id":' || (m.id)::text) || (case when m.read then ',"read":true' else ',"read":false' end || '}'))"`,
  )
})

test('a row becomes the JSON that its fields say, also where values are null or must be escaped', async () => {
  const object = jsonObject(
    'm.id',
    jsonText('message', 'm.message'),
    jsonConstant('type', 'message'),
    jsonBlank('chain'),
    jsonOptional(['nftaddr', 'nftid'], 'm', 'omitted'),
    jsonOptional(['key', 'conditions'], 'm', 'blank'),
    jsonBoolean('read', 'm.read'),
    jsonEither('m.read', jsonConstant('seen', 'yes'), jsonConstant('seen', 'no')),
    jsonOrBlank('name', 'm.name'),
    jsonTimestamps('m.ms'),
  )
  const rows = await service.ctx.db.query<{ item: string }>(
    `select ${object} as item from (values
       (1, 'gm', null, null, null, null, true, '"Alice"', 1795199400120),
       (2, E'"\\u2028\\n', 'nft', null, 'k"', null, null, null, null)
     ) m (id, message, nftaddr, nftid, key, conditions, read, name, ms)`,
  )
  expect(rows.map(({ item }) => item).join('\n')).toMatchInlineSnapshot(`
    "{"id":1,"message":"gm","type":"message","chain":"","key":"","conditions":"","read":true,"seen":"yes","name":"Alice","timestamp":"2026-11-20T18:30:00.120Z","timestamp_dtm":"2026-11-20T18:30:00.120Z"}
    {"id":2,"message":"\\" \\n","type":"message","chain":"","nftaddr":"nft","key":"k\\"","conditions":"","read":false,"seen":"no","name":"","timestamp":"","timestamp_dtm":""}"
  `)
  expect(rows.map(({ item }) => JSON.parse(item).message)).toEqual(['gm', '"\u2028\n'])
})
