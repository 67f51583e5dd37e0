// `npm run simulate` plays a population of wallets against the service on this machine, and computes the machines it would need.

import { mkdir, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { interrupt } from '../load/child-processes.ts'
import { clearStatus, showStatus } from '../report/status.ts'
import { help, readChoice } from './options.ts'
import * as report from './report.ts'
import { simulate, type SimulationOptions } from './simulate.ts'

const { json, ...choice } = choose()
const options: SimulationOptions = { ...choice, databaseUrl: process.env.DATABASE_URL, onStatus: showStatus }
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    interrupted = true
    interrupt()
  })
const found = await simulate(options).catch((error: Error) => {
  clearStatus()
  if (!interrupted) throw error
  console.error('Interrupted. Every process was ended and its data removed.')
  return process.exit(130)
})
clearStatus()
const machine = `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'CPU'}, ${Math.round(os.totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`
console.log(`\n${machine}\n\nAssumptions:`)
for (const line of report.assumptions(options, found)) console.log(`- ${line}`)
for (const make of [report.aloneTable, report.stepsTable, report.waitsTable]) console.log(`\n${make(found)}`)
console.log('')
for (const line of report.findings(found, options)) console.log(line)
console.log(`\n${report.needsTable(found, options)}`)
const folder = path.join(import.meta.dirname, '../results')
const file = json ?? path.join(folder, `simulate-${new Date().toISOString().replace(/[:.]/g, '-')}.json`)
await mkdir(folder, { recursive: true })
await writeFile(file, JSON.stringify({ at: new Date(), machine, choice, ...found }, null, 1))
console.log(`\nWritten: ${path.relative('.', file)}`)

function choose() {
  try {
    const chosen = readChoice(process.argv.slice(2))
    if (chosen !== 'help') return chosen
    console.log(help)
    return process.exit()
  } catch (error) {
    console.error(`${(error as Error).message} See npm run simulate -- --help.`)
    return process.exit(1)
  }
}
