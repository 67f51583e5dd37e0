#!/usr/bin/env node
// This is Parley for language models, over stdio: what a client writes to stdin is a call, and stdout has only the responses.

import { readFile } from 'node:fs/promises'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createServer } from './server.ts'
import { readSettings, type Settings } from './settings.ts'

let settings: Settings | undefined
try {
  settings = readSettings(process.env)
} catch (error) {
  console.error(`parley-mcp: ${(error as Error).message}`)
  process.exitCode = 1
}
if (settings) {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  await createServer(settings, version).connect(new StdioServerTransport())
}
