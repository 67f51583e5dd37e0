// These commands decide about wallets, files and communities, and check the log of that.

import { changeRecommended } from '../features/communities/commands.ts'
import { auditLog, changeBlockedFiles, changeOperators, printHeld } from '../features/moderation/commands.ts'
import { changeOfficials } from '../features/official/commands.ts'
import { showProgress } from '../lib/progress.ts'
import { openExisting } from './database.ts'
import type { Add } from './options.ts'
import type { Result } from './terminal.ts'

export function addModeration(add: Add): void {
  const said = (text: string, more: object = {}): Result => ({ text, data: { message: text, ...more } })
  add(
    'operator <what> [address]',
    'Add, remove or list operators, who can mute and ban wallets',
    async (config, [what, address]) => {
      await using database = await openExisting(config)
      return said(await changeOperators(database.url, what, address))
    },
  ).registeredArguments[0]!.choices(['add', 'remove', 'list'])
  add(
    'official <what> [address]',
    'Name wallets as the team of the service, take them off it, or list them: people see a sign beside their names',
    async (config, [what, address], { label }) => {
      await using database = await openExisting(config)
      const { text, official } = await changeOfficials(database.url, what, address, label)
      return said(text, official && { official })
    },
  )
    .option('--label <text>', 'what it does for the team, such as Support')
    .registeredArguments[0]!.choices(['add', 'remove', 'list'])
  add(
    'recommended <what> [community]',
    'Recommend communities, which are then first in the directory; recommend one no longer, or list them',
    async (config, [what, community]) => {
      await using database = await openExisting(config)
      const { text, communities } = await changeRecommended(database.url, what, community)
      return said(text, communities && { communities })
    },
  ).registeredArguments[0]!.choices(['add', 'remove', 'list'])
  add(
    'blocked-file <what> [sha256]',
    'Block a file by its hash, take one again, or list those that are blocked. It is about files that are not encrypted',
    async (config, [what, sha256], { reason }) => {
      await using database = await openExisting(config)
      const { text, files } = await changeBlockedFiles(database.url, what, sha256, reason)
      return said(text, files && { files })
    },
  )
    .option('--reason <text>', 'why it is blocked, or taken again; operators read it')
    .registeredArguments[0]!.choices(['add', 'remove', 'list'])
  add(
    'audit [hash]',
    'Check that no row in the log of operators was changed or taken out, and print the hash of the last one: note it. With a hash that was noted, also that its row is there',
    async (config, [hash]) => {
      await using database = await openExisting(config)
      using bar = showProgress()
      const { wrong, rows, hash: last } = await auditLog(database.url, hash, bar.onProgress)
      const text = wrong
        ? `The log of operators is wrong: ${wrong}.`
        : `The log of operators is whole: ${rows} rows. Note the hash of the last one:\n${last || 'none yet'}`
      return { text, data: { wrong: wrong ?? null, rows, hash: last }, hasFaults: Boolean(wrong) }
    },
  )
  add(
    'held <subject>',
    'Print what was deleted of a wallet or chat under a legal hold, a line of JSON for each message. That it was read is in the log of operators',
    async (config, [subject]) => {
      await using database = await openExisting(config)
      const lines: string[] = []
      const text = await printHeld(database.url, subject, (line) => lines.push(line))
      return said([...lines, text].join('\n'), { messages: lines.map((line) => JSON.parse(line)) })
    },
  )
}
