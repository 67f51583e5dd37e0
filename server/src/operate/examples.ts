// The help of each command ends with these examples. A test reads each as the program would.

import type { Command } from 'commander'

const wallet = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'

/**
 * The way to call the tool: in a clone, and where its package is installed. Outside of both, npx would fetch somebody else's
 * package.
 */
export const tool = import.meta.dirname.includes('/node_modules/')
  ? 'node_modules/.bin/parley'
  : 'npm run --silent parley --'

/** The words to type after that, and their purpose. */
export const examples: Record<string, [words: string, what: string][]> = {
  start: [['start', 'as parley alone does']],
  status: [
    ['status', 'for people'],
    ['status --json', 'for a program; the exit code is 1 when something is wrong'],
  ],
  wallet: [[`wallet ${wallet}`, 'numbers and times']],
  chat: [
    ['chat gardeners', 'a community'],
    ['chat 0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', 'the chat of an NFT contract'],
  ],
  check: [['check', 'while the service runs; once a month']],
  backup: [
    ['backup --to /backups/parley.zip', 'while the service runs; every day, by cron'],
    ['backup --to /backups/parley.zip --with-secret', 'so that nobody has to sign in after a restore'],
    [
      'backup --to /backups/parley.zip --with-files',
      'with the files of messages, whose size is that of DATA_DIR/files',
    ],
  ],
  verify: [['verify /backups/parley.zip', 'on any machine']],
  restore: [
    ['restore /backups/parley.zip', 'into a new DATA_DIR or a new DATABASE_URL'],
    ['restore /backups/parley.zip --with-secret', 'with the secret that is in the archive'],
  ],
  recovered: [['recovered', 'before the service starts on the recovered database']],
  partition: [['partition', 'while the service runs']],
  distribute: [
    ['distribute --dry-run', 'says what would be done'],
    ['distribute --dry-run postgres://parley@127.0.0.1:5432/copy', 'rehearses it on a restored copy'],
  ],
  import: [
    [
      'import export.zip --from slack --into gardeners --channel general --dry-run',
      'says what would be taken, and what not',
    ],
    [
      `import export.json --from discord --into gardeners --owner ${wallet} --people people.csv`,
      'while the service runs',
    ],
  ],
  'claim-code': [
    ['claim-code discord:1234', 'prints a code for the person who was 1234 at Discord'],
    ['claim-code discord:1234 --remove', 'takes the name back from the wallet that has it'],
  ],
  'export-chat': [['export-chat gardeners --out gardeners.zip', 'while the service runs']],
  migrate: [
    ['migrate --dry-run', 'says what the next start would apply'],
    ['migrate', 'applies it now'],
  ],
  'retry-jobs': [
    ['retry-jobs --list', 'the jobs that have failed'],
    ['retry-jobs send-mail --yes', 'those of one task, without a question'],
  ],
  reindex: [['reindex --yes', 'while the service runs; it shows how far it is']],
  'rotate-secret': [
    ['rotate-secret', 'keeps the one before'],
    ['rotate-secret --leaked --yes', 'signs everybody out'],
  ],
  operator: [
    [`operator add ${wallet}`, 'makes the wallet an operator'],
    ['operator list', 'all operators'],
  ],
  official: [
    [`official add ${wallet} --label Support`, 'people see “Official: Support” beside its name'],
    ['official list', 'the wallets of the team'],
  ],
  recommended: [
    ['recommended add gardeners', 'people see it first'],
    ['recommended list', 'those that are'],
  ],
  'blocked-file': [
    [
      'blocked-file add 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 --reason illegal',
      'the hash is that of sha256sum',
    ],
    ['blocked-file list', 'all that are blocked'],
  ],
  audit: [
    ['audit', 'prints the hash of the last row'],
    ['audit 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef', 'with a hash noted before'],
  ],
  held: [[`held ${wallet} > held.jsonl`, 'into a file']],
}

/** Ends the help of every command with its examples. */
export function addExamples(program: Command): void {
  for (const command of program.commands) {
    const own = (examples[command.name()] ?? []).map(([words, what]) => ({
      line: `${tool} ${words}`,
      what,
    }))
    const width = Math.max(...own.map(({ line }) => line.length))
    const lines = own.map(({ line, what }) => `  ${line.padEnd(width)}  ${what}`)
    if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  }
}
