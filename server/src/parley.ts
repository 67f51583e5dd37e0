#!/usr/bin/env node
// `npx parley`: what whoever runs the service does by hand.

import { CommanderError } from 'commander'
import { createProgram } from './operate/program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  // Commander has said what it did not understand. Help that was asked for is no error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
