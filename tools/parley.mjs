#!/usr/bin/env node
// The command of the package @parley/server (tools/pack-server.ts): becomes the service, or the operator's tool when there
// is a command. Plain JavaScript that runs on Node 20, since the Node that runs everything else is one of the packages.

import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const nodes = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
const needed = Number.parseInt(nodes[0][1], 10)

const node = findNode()
if (node) run(node, process.argv.slice(2))
else {
  console.error(
    `Parley needs Node ${needed} or newer: this is Node ${process.versions.node}, and npm has installed no other one for this machine.`,
  )
  process.exitCode = 1
}

/** Returns the Node that runs this, or else the one that npm has installed with the package. */
function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= needed) return process.execPath
  const { resolve } = createRequire(import.meta.url)
  for (const [name] of nodes) {
    try {
      const manifest = resolve(`${name}/package.json`)
      const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
      return path.join(path.dirname(manifest), bin.node)
    } catch {
      // It is for another kind of machine.
    }
  }
  return undefined
}

function run(program, given) {
  const isStart = given.length === 0 || (given.length === 1 && given[0] === 'start')
  const args = isStart
    ? [...flagsOf(program), path.join(root, 'server/src/main.js')]
    : [path.join(root, 'server/src/parley.js'), ...given]
  const env = { NODE_COMPILE_CACHE: path.join(root, '.cache'), ...process.env }
  // The program takes the place of this process where it can: then it gets all signals itself.
  const isNpx = process.env.npm_command === 'exec'
  if (process.execve && process.platform !== 'win32' && !isNpx)
    process.execve(program, [program, ...args], env)
  const child = spawn(program, args, { env, stdio: 'inherit' })
  // npx starts a shell, which is the parent of this process and ends at SIGTERM without passing it on.
  const parent = process.ppid
  const look = isNpx && setInterval(() => process.ppid !== parent && pass('SIGTERM'), 250).unref()
  const pass = (signal) => {
    clearInterval(look)
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass)
  child.once('error', (error) => {
    console.error(`Parley could not start ${program}: ${error.message}`)
    process.exitCode = 1
  })
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + os.constants.signals[signal]
  })
}

/** Returns the flags that `npm start` uses. Options for Node in the environment would print more than the flags. */
function flagsOf(program) {
  const file = path.join(root, 'tools/v8-flags.mjs')
  const printed = execFileSync(program, [file], {
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  })
  return printed.trim().split('\n')
}
