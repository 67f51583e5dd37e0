import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { useService } from '../../testing/service/service.ts'

interface Field {
  description?: string
  examples?: unknown[]
  example?: unknown
  properties?: Record<string, Field>
  items?: Field
  $ref?: string
}
interface Operation {
  description?: string
  parameters?: (Field & { name: string })[]
  requestBody?: { content: Record<string, { schema: Field }> }
  responses: Record<string, { content?: Record<string, { schema: Field; example?: unknown }> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Field> }
}

let document: Document
const service = useService()
beforeAll(async () => {
  document = (await service.app.inject('/docs/json')).json()
})

test('every model and field has a description and an example', () => {
  const bare: string[] = []
  const check = (where: string, field: Field) => {
    if (field.$ref) return
    // An item is described by its list.
    if (!field.description && !where.endsWith('[]')) bare.push(`${where}: description`)
    if (field.properties)
      for (const [name, inner] of Object.entries(field.properties)) check(`${where}.${name}`, inner)
    else if (field.items) check(`${where}[]`, field.items)
    else if (!field.examples) bare.push(`${where}: example`)
  }
  for (const [name, model] of Object.entries(document.components.schemas)) {
    check(name, model)
    if (!model.examples) bare.push(`${name}: example`)
  }
  expect(bare).toEqual([])
})

test('every operation has a description, and every parameter, body and answer an example', () => {
  const bare: string[] = []
  for (const [where, operations] of Object.entries(document.paths))
    for (const [method, { description, parameters = [], responses }] of Object.entries(operations)) {
      if (!description) bare.push(`${method} ${where}: description`)
      for (const parameter of parameters)
        if (!parameter.description || parameter.example === undefined)
          bare.push(`${method} ${where} ${parameter.name}`)
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const [type, { example }] of Object.entries(content))
          if (example === undefined) bare.push(`${method} ${where} ${status} ${type}`)
    }
  expect(bare).toEqual([])
})

test('the document lints clean', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-docs-'))
  const file = path.join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const lint = promisify(execFile)('redocly', ['lint', '--format=json', '--max-problems=20', file], { env })
  const { stdout } = await lint.catch((error: { stdout: string }) => error)
  await rm(folder, { recursive: true })
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] }
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})
