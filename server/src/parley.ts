#!/usr/bin/env node
// The command `parley` does what the administrator of the service does by hand. Without a command it is the service.

import { CommanderError } from 'commander'
import { createProgram } from './operate/program.ts'
import { endWithoutReader } from './operate/terminal.ts'

try {
  const [, , ...given] = process.argv
  const isService = given.length === 0 || given[0] === 'start'
  if (!isService) endWithoutReader()
  await createProgram(() => import('./main.ts')).parseAsync(given.length > 0 ? given : ['start'], {
    from: 'user',
  })
} catch (error) {
  // Commander has said what it did not understand. A request for help is no error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
