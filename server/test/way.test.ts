// docs/way-of-a-message.md lists the files of a message's way. Here V8 counts which files of the service run
// when a message is sent and delivered.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Profiler, Session } from 'node:inspector/promises'
import path from 'node:path'
import { createClient, readEvents } from '@parley/sdk'
import { expect } from 'vitest'
import { onOneMachine } from '../../testing/service/engines.ts'
import { newToken, newWallet, startService } from '../../testing/service/service.ts'

const root = path.join(import.meta.dirname, '../..')
const sourceOf = /\/server\/src\/(.+\.ts)$/

/** Vite makes such a function for each export, and it runs whenever the value is read. Node.js alone has none. */
const readsExport = /^\(\) => \{ try \{ return [\w$]+ \} catch \{\} \}$/

/** The files of the service of which a function runs during each of several calls of `work`. */
async function filesIn(work: () => Promise<void>): Promise<Set<string>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true })
  const rounds: Profiler.ScriptCoverage[][] = []
  for (let i = 0; i < 10; i++) {
    await session.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    rounds.push(result.filter(({ url }) => sourceOf.test(url)))
  }
  await session.post('Profiler.stopPreciseCoverage')
  await session.post('Debugger.enable')
  const texts = new Map<string, string>()
  for (const { scriptId } of rounds[0]!)
    texts.set(scriptId, (await session.post('Debugger.getScriptSource', { scriptId })).scriptSource)
  session.disconnect()
  const runs = ({ scriptId, functions }: Profiler.ScriptCoverage) =>
    functions.some(
      ({ ranges: [whole] }) =>
        whole!.count > 0 &&
        !readsExport.test(texts.get(scriptId)?.slice(whole!.startOffset, whole!.endOffset) ?? ''),
    )
  const files = rounds.map((round) => new Set(round.filter(runs).map(({ url }) => sourceOf.exec(url)![1]!)))
  // What runs once in a while, such as rounds of the limits, does not run each time.
  return files.reduce((one, other) => one.intersection(other))
}

onOneMachine('a message passes the files that docs/way-of-a-message.md lists, and no others', async () => {
  await using service = await startService({ rateLimits: true, tickEvery: 3_600_000 })
  const [alice, bob] = [newWallet(), newWallet()]
  const baseUrl = await service.listen()
  const optionsOf = async (wallet: string) => ({ baseUrl, token: await newToken(service.ctx, wallet) })
  const client = createClient(await optionsOf(alice))
  const opened = Promise.withResolvers<void>()
  const stop = new AbortController()
  const events = readEvents(await optionsOf(bob), { signal: stop.signal, onOpen: opened.resolve })
  const send = async () => {
    const arrived = events.next()
    await opened.promise
    await client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'gm' } })
    await arrived
  }
  await send()
  const passed = await filesIn(send)
  stop.abort()

  const text = await readFile(path.join(root, 'docs/way-of-a-message.md'), 'utf8')
  const filesOf = (part: string) => [...part.matchAll(/`([a-z-]+\/[^`\s]+\.tsx?)`/g)].map(([, file]) => file!)
  const named = filesOf(text)
  const numbered = [...text.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file!)
  const beside = [...text.matchAll(/^- .*/gm)].flatMap(([line]) => filesOf(line))
  const isOfService = (file: string) => !/^(sdk|web)\//.test(file)
  const whereIs = (file: string) =>
    path.join(root, /^(sdk|web|server)\//.test(file) ? '' : 'server/src', file)
  expect(named.filter((file) => !existsSync(whereIs(file)))).toEqual([])
  expect(numbered.length).toBeLessThanOrEqual(30)
  expect(beside.length).toBeLessThanOrEqual(16)
  expect([...passed].filter((file) => !named.includes(file))).toEqual([])
  expect(beside.filter((file) => isOfService(file) && !passed.has(file))).toEqual([])
  // Of these only the SQL text is used, which was made when the service started.
  const sqlOnly = new Set(['db/json.ts', 'messages/shared-sql.ts'])
  expect(numbered.filter((file) => isOfService(file) && !sqlOnly.has(file) && !passed.has(file))).toEqual([])
})
