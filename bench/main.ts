// `npm run bench` measures the service on this machine, beside baselines that do the same work without it.

import { mkdir, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { bench, type Findings } from './bench.ts'
import type { Case } from './cases/case.ts'
import { interrupt } from './load/child-processes.ts'
import { figuresOf } from './report/figures.ts'
import { readOptions } from './options.ts'
import { plot } from './report/plot.ts'
import { hottest, type Profile } from './service/profile.ts'
import * as report from './report/report.ts'
import { clearStatus, showStatus } from './report/status.ts'

const { profile, json, ...options } = readOptions(process.argv.slice(2))
const folder = path.join(import.meta.dirname, 'results')
const stamp = new Date().toISOString().replace(/[:.]/g, '-')
const machine = {
  cpus: `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'CPU'}`,
  memory: `${Math.round(os.totalmem() / 2 ** 30)} GB`,
  node: `Node ${process.versions.node}`,
}
await mkdir(folder, { recursive: true })
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    interrupted = true
    interrupt()
  })
const findings = await bench({
  ...options,
  databaseUrl: process.env.DATABASE_URL,
  onStatus: showStatus,
  ...(profile && { onProfile: keepProfile }),
}).catch((error: Error) => {
  clearStatus()
  if (!interrupted) throw error
  console.error('Interrupted. Every process was ended and its data removed.')
  return process.exit(130)
})
clearStatus()
printFindings(findings)
await keep(json ?? path.join(folder, `${stamp}.json`), JSON.stringify(withFigures(findings), null, 1))
if (options.sizes.length > 1) await keep(path.join(folder, `${stamp}.svg`), plot(growthOf(findings)))

function printFindings({ results, histories, generator: { perSecond, microseconds } }: Findings) {
  console.log(`\n${Object.values(machine).join(', ')}; generator, service and PostgreSQL share it.`)
  const rate = Math.round(perSecond).toLocaleString('en')
  console.log(
    `The generator sends ${rate} requests/s to an empty route, at ${Math.round(microseconds)} µs of CPU each.`,
  )
  for (const { label, seconds, megabytes } of histories)
    console.log(
      `History ${label}: ${Math.round(megabytes).toLocaleString('en')} MB, loaded in ${Math.ceil(seconds)} s.`,
    )
  for (const make of [
    report.speedTable,
    report.kindsTable,
    report.extraTable,
    report.costTable,
    report.comparisonTable,
  ]) {
    const text = make(results)
    if (text) console.log(`\n${text}`)
  }
  for (const remark of report.remarks(results)) console.log(`! ${remark}`)
}

function withFigures({ results, ...rest }: Findings) {
  const figured = results.map((result) => Object.assign({ figures: figuresOf(result) }, result))
  return { at: new Date(), machine, ...rest, results: figured }
}

function growthOf({ results }: Findings) {
  const lines = [...Map.groupBy(results, (result) => result.case)].map(([name, ofCase]) => ({
    name,
    points: ofCase.map((result) => {
      const { median, min, max } = figuresOf(result).p50
      return { x: result.size, y: median, low: min, high: max }
    }),
  }))
  return {
    title: 'Latency as history grows',
    x: 'messages in the history',
    y: 'median latency, ms (bar: least and most of the runs)',
    lines,
  }
}

async function keepProfile({ name }: Case, found: unknown) {
  clearStatus()
  const { busy, functions } = hottest(found as Profile)
  const percent = (share: number) => `${(share * 100).toFixed(1).padStart(5)} %`
  console.log(`\n${name}: the service was busy ${percent(busy).trim()} of the time, and of that in`)
  for (const { share, where } of functions) console.log(`${percent(share)}  ${where}`)
  await keep(path.join(folder, `${stamp}-${name}.cpuprofile`), JSON.stringify(found))
}

async function keep(file: string, text: string) {
  await writeFile(file, text)
  console.log(`\nWritten: ${path.relative('.', file)}`)
}
