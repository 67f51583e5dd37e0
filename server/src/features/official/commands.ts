// This is the command of `npm run parley` about the team of the service. It has a connection of its own, beside a service that may
// run.

import { mostOfficial, type OfficialWallet, teamLabelPattern } from '@parley/sdk/contract/official.ts'
import { officialOf } from '../../auth/officials.ts'
import { openSession } from '../../db/session.ts'
import { canonicalAddress, isEvmAddress } from '../../values/formats.ts'
import { addOfficial, findOfficials, removeOfficial } from './store.ts'

const isLabel = (text: string) => new RegExp(teamLabelPattern, 'u').test(text)

/** Adds, removes or lists the wallets of the team; returns the text to print. Each change is in the log of operators. */
export async function changeOfficials(
  databaseUrl: string,
  what: string | undefined,
  given: string | undefined,
  label: string | undefined,
): Promise<{ text: string; official?: OfficialWallet[] }> {
  await using session = await openSession(databaseUrl, 'parley official')
  if (what === 'list') {
    const rows = await findOfficials(session)
    const lines = rows.map(
      (row) => `${row.address} ${row.label}, since ${officialOf(row).since}, named by ${row.named_by}`,
    )
    return { text: lines.join('\n') || 'No wallet is on the team.', official: rows.map(officialOf) }
  }
  const address = canonicalAddress(given ?? '')
  if (!isEvmAddress(address)) throw new Error('Say which wallet: 0x and 40 hexadecimal digits.')
  if (what === 'add' && !isLabel(label ?? ''))
    throw new Error(
      'Say what it does, as people read it: --label Support. Up to 32 letters and digits, with single spaces, dots, hyphens, apostrophes and & between them.',
    )
  const now = Date.now()
  const tx = { query: session.query, now: () => now }
  const change = { operator: 'command-line', address }
  await session.query('begin')
  if (what === 'add') {
    const named = await addOfficial(tx, { ...change, label: label! })
    await session.query('commit')
    if (!named) throw new Error(`The team has ${mostOfficial} wallets already: remove one first.`)
    return {
      text: named.isNew
        ? `${address} is shown as “Official: ${label}”, in a few seconds.`
        : `${address} was on the team as ${label} already.`,
    }
  }
  const isRemoved = await removeOfficial(tx, change)
  await session.query('commit')
  return {
    text: isRemoved
      ? `${address} is not on the team any more, in a few seconds.`
      : `${address} was not on the team.`,
  }
}
