// This is the command of `npm run parley` with which an operator gives an imported person to a wallet, or takes it back. It has a
// connection of its own, beside a service that may run.

import { importedFrom } from '@parley/sdk/imported.ts'
import { openSession } from '../../db/session.ts'
import { day } from '../../lib/times.ts'
import { append, type Queries } from '../../messages/operator-log.ts'
import { canonicalAddress, isAddress } from '../../values/formats.ts'
import { isImported, newCode, release, storeCode, walletOf } from './store.ts'

interface Made {
  text: string
  code?: string
  expires_at?: string
}

/** Makes the code with which a wallet takes an imported person over, or ends the claim; returns the text to print. */
export async function changeClaim(
  databaseUrl: string,
  given: string,
  { days = '7', remove = false }: { days?: string; remove?: boolean },
): Promise<Made> {
  if (!isAddress(given) || importedFrom(given) === undefined)
    throw new Error(
      `${given} is not the address of an imported person. It is such as discord:1234: the profile of the person shows it.`,
    )
  if (!/^([1-9]|[12]\d|30)$/.test(days)) throw new Error('Say for how many days: --days 1 to 30.')
  const address = canonicalAddress(given)
  await using session = await openSession(databaseUrl, 'parley claim-code')
  await session.query('begin')
  const made = remove
    ? await takeBack(session, address)
    : await makeCode(session, address, Date.now() + Number(days) * day)
  await session.query('commit')
  return made
}

async function makeCode(tx: Queries, address: string, expires: number): Promise<Made> {
  if (!(await isImported(tx, address)))
    throw new Error(`Nobody with the address ${address} has a message here.`)
  const wallet = await walletOf(tx, address)
  if (wallet !== undefined)
    throw new Error(`${address} is ${wallet} here already. To take that back: claim-code ${address} --remove`)
  const code = newCode()
  await storeCode(tx, { address, code, expires })
  await note(tx, 'claim_code', address, '')
  const until = new Date(expires).toISOString()
  return {
    text: `${code}\nSend it to the person who was ${address}, and to nobody else: anyone who enters it is shown as this person.\nIt can be used once, until ${until}, in Settings under Profile. An earlier code no longer works.`,
    code,
    expires_at: until,
  }
}

async function takeBack(tx: Queries, address: string): Promise<Made> {
  const wallet = await release({ query: tx.query, now: Date.now }, address)
  await note(tx, 'claim_remove', address, wallet ?? '')
  return {
    text: wallet
      ? `${address} is no longer ${wallet}. Its codes no longer work.`
      : `No wallet has taken over ${address}. Its codes no longer work.`,
  }
}

const note = (tx: Queries, action: string, subject: string, reason: string) =>
  append(
    { query: tx.query, now: Date.now },
    { operator: 'command-line', action, subject, until: null, reason, reports: [], item: null },
  )
