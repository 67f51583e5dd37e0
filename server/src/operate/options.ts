import type { Command } from 'commander'
import type { Config } from '../config/settings.ts'
import type { ImportChoices } from './move-commands.ts'
import type { Result } from './terminal.ts'

/** Runs a command with its settings, arguments and options. */
export type Run = (config: Config, args: string[], options: Options) => Promise<Result>
/** Adds a command whose result is printed. */
export type Add = (usage: string, summary: string, run: Run) => Command
/** The options that any of them may have. */
interface Options extends ImportChoices {
  days?: string
  remove?: boolean
  out?: string
  to?: string
  withSecret?: boolean
  withFiles?: boolean
  list?: boolean
  leaked?: boolean
  yes?: boolean
  reason?: string
  label?: string
}
