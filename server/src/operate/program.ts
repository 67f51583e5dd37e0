// This is the operator's tool: its commands with their help. Their work is in the other files of this folder.

import { Command, Option } from 'commander'
import project from '../../package.json' with { type: 'json' }
import { readConfig } from '../config/settings.ts'
import { showProgress } from '../lib/progress.ts'
import { addExamples, tool } from './examples.ts'
import * as keeping from './data-commands.ts'
import { kinds } from './import/records.ts'
import * as looking from './inspect-commands.ts'
import { addModeration } from './moderation-commands.ts'
import type { Add, Run } from './options.ts'
import * as repairing from './repair-commands.ts'
import { status } from './status.ts'
import { print } from './terminal.ts'

const about = `Looks after a Parley service: ${tool} <command>.

The database is that of the service: DATABASE_URL, or the embedded one in DATA_DIR (./data). The service may run.`

const exits = `
Exit code: 0 done, 1 something is wrong or failed, 2 the command was not understood.

With --json a command prints one JSON document on standard output. Progress and questions go to standard error.`

const secretHelp =
  'with DATA_DIR/jwt-secret: anyone who has it can sign in as every wallet, so keep such an archive like a password'
const sure = ['-y, --yes', 'do it without asking'] as const

/** Makes the program. `start` becomes the service. */
export function createProgram(start: () => Promise<unknown>): Command {
  const program = new Command('parley')
    .description(about)
    .version(project.version)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', exits)
    .exitOverride()
  /** Adds a command whose result is printed. */
  const add = (usage: string, summary: string, run: Run): Command =>
    program
      .command(usage)
      .description(summary)
      .action(async (...given: unknown[]) => {
        const command = given.at(-1) as Command
        print(await run(readConfig(), command.args, command.opts()), program.opts().json === true)
      })
  program.commandsGroup('Serve:')
  const serve = program.command('start').description('Become the service, as without a command')
  serve.action(async () => void (await start()))
  program.commandsGroup('Look:')
  addLooking(add)
  program.commandsGroup('Keep:')
  addKeeping(add)
  program.commandsGroup('Move:')
  addMoving(add)
  program.commandsGroup('Repair:')
  addRepairing(add)
  program.commandsGroup('Moderate:')
  addModeration(add)
  program.commandsGroup('Help:').helpCommand(true)
  addExamples(program)
  return program
}

function addLooking(add: Add): void {
  add(
    'status',
    'Say whether the service answers, what its database holds, and how its disk and its standby are',
    (config) => status(config),
  )
  add(
    'wallet <address>',
    'Print what is stored about a wallet: numbers and times, no texts',
    (config, [address]) => looking.wallet(config, address!),
  )
  add(
    'chat <key>',
    'Print what is stored about a chat: the contract of its NFT, or the name of its community',
    (config, [key]) => looking.chat(config, key!),
  )
  add(
    'check',
    'Recount everything: counters, copies, the order of messages, where each row lies. Changes nothing, and prints each row that is wrong',
    (config) => keeping.check(config),
  )
}

function addKeeping(add: Add): void {
  add(
    'backup',
    'Write all data into one archive: everything that was acknowledged before it began is in it',
    (config, _, options) => keeping.backUpInto(config, options),
  )
    .option('--to <file>', 'the archive; parley-<time>.zip in this folder when left out')
    .option('--with-secret', secretHelp)
    .option('--with-files', 'with the bytes of the files of messages; else the archive has a list of them')
  add('verify <file>', 'Check an archive by its checksums; needs no database', (_, [file]) =>
    keeping.verify(file!),
  )
  add(
    'restore <file>',
    'Restore an archive into an empty database: a new DATA_DIR, or a new one at DATABASE_URL',
    (config, [file], options) => keeping.restore(config, file!, options),
  ).option('--with-secret', secretHelp)
  add(
    'recovered',
    "After PostgreSQL's own tools have brought the database back to an earlier moment, before the service starts: new ids are far above, and clients read everything again",
    (config) => keeping.recovered(config),
  )
  add(
    'partition',
    'For long histories, once a month: end the newest part of the tables of messages, and begin the next',
    (config) => keeping.partition(config),
  )
  add(
    'distribute [copy]',
    'Move the database onto a cluster of Citus (docs/cluster.md)',
    (config, [copy], options) => keeping.distribute(config, copy, options),
  )
    .option(
      '--dry-run',
      'only check and say what would be done; with the address of a restored copy, do it there',
    )
    .option(...sure)
}

function addMoving(add: Add): void {
  add(
    'import <file>',
    'Import the history of a channel from elsewhere into an empty chat: an export, as a file, a folder or a ZIP archive (docs/move-here.md). The same one again goes on after a kill, and adds nothing twice',
    // Only this command needs the readers of exports.
    async (config, [file], options) =>
      (await import('./move-commands.ts')).importChats(config, file!, options),
  )
    .addOption(new Option('--from <system>', 'where the export is from').choices(kinds).makeOptionMandatory())
    .requiredOption('--into <community>', 'the name of the community')
    .option('--owner <address>', 'where there is no such community: create it for this wallet')
    .option('--channel <name...>', 'the channels to import, where the export has several')
    .option('--people <file>', 'a CSV file with the columns id and wallet: who has which wallet here')
    .option('--dry-run', 'only read the export, and say what would be done')
  add(
    'claim-code <address>',
    'Make a code with which a person who was imported takes over their name and messages: they enter it in their settings. It works once',
    async (config, [address], options) =>
      (await import('./move-commands.ts')).makeClaim(config, address!, options),
  )
    .option('--days <number>', 'for how many days it can be used: 1 to 30, 7 when left out')
    .option('--remove', 'take the name back from the wallet that has it, and end its code')
  add(
    'export-chat <chat>',
    'Write a chat into an archive: its messages, people, reactions and files. Another Parley imports it, and other programs read it',
    async (config, [chat], options) =>
      (await import('./move-commands.ts')).exportInto(config, chat!, options),
  ).option('--out <file>', 'the archive; <chat>.zip in this folder when left out')
}

function addRepairing(add: Add): void {
  add('migrate', 'Bring the tables up to date, as the start of a service does', (config, _, options) =>
    repairing.migrate(config, options),
  ).option('--dry-run', 'only say what would be applied')
  add(
    'retry-jobs [task]',
    'Do jobs that have failed again now: all, or those of a task',
    (config, [task], options) => repairing.retry(config, task, options),
  )
    .option('--list', 'only list them')
    .option(...sure)
  add(
    'reindex',
    'Make the index of searches again, in the background of the service; with SEARCH=off delete it',
    async (config, _, options) => {
      using progress = showProgress()
      return repairing.reindex(config, options, progress.onProgress)
    },
  ).option(...sure)
  add(
    'rotate-secret',
    'Make a new DATA_DIR/jwt-secret; the one before is still accepted until you delete its file',
    (config, _, options) => repairing.rotateSecret(config, options),
  )
    .option('--leaked', 'do not accept the one before: everybody signs in again')
    .option(...sure)
}
