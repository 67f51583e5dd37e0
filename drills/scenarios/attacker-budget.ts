import { setTimeout as sleep } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Caller } from '../../testing/cases/callers.ts'
import { type Received, startSmtp } from '../../testing/outside/smtp.ts'
import type { Drill } from '../drill.ts'
import { type Budget, budgets, inWords, manyWallets, reach } from '../people/budgets.ts'
import { openWallet } from '../people/open.ts'
import { noisyPicture } from '../../testing/cases/noisy-picture.ts'
import { digestOf } from '../random.ts'
import type { Run } from '../run.ts'

const mailbox = 'victim@mail.example'

/** Breaks nothing: it prints a table of what limits allow. */
export const attackerBudget: Drill = {
  name: 'attacker-budget',
  summary: 'measures what one wallet and one network address reach with default limits, and prints a table',
  seconds: 96,
  async perform(run) {
    const smtp = run.use(await startSmtp())
    const adminKey = digestOf(run.seed, 'admin')
    const env = {
      RATE_LIMITS: 'on',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'parley@mail.example',
      ADMIN_API_KEY: adminKey,
    }
    const service = await run.startService(env)
    const victim = await openWallet(run, 'victim', '127.0.3.1')
    await wantMails(service.url, adminKey, victim.address)
    const all = budgets(noisyPicture(800), victim.address, signIn)
    const each = run.seconds / all.length / 2
    const lines = ['| what | one wallet | one network address |', '| --- | --- | --- |']
    for (const [i, budget] of all.entries()) {
      lines.push(await measure(run, budget, each, i))
      run.log(lines.at(-1)!)
    }
    // Mails are sent by jobs, within seconds.
    await sleep(Math.min(10_000, run.seconds * 100))
    lines.push(`| mails that arrived in one mailbox | | ${countTo(smtp.inbox, (to) => to === mailbox)} |`)
    lines.push(`| mails that arrived at strangers | | ${countTo(smtp.inbox, (to) => to !== mailbox)} |`)
    run.log(`\n${lines.join('\n')}\n`)
    if (service.hasCrashed) run.report({ kind: 'broken', detail: 'the service ended by itself' })
  },
}

/** Makes one measurement, which has a network address and wallets of its own. */
async function measure(run: Run, budget: Budget, seconds: number, i: number): Promise<string> {
  const open = (name: string, from: number) => openWallet(run, `${budget.what} ${name}`, `127.0.2.${from}`)
  const one = await open('one', 2 * i + 1)
  const many = await Promise.all(Array.from({ length: manyWallets }, (_, n) => open(String(n), 2 * i + 2)))
  const cells: string[] = []
  for (const [kind, callers] of [
    [0, [one]],
    [1, many],
  ] as const) {
    if (budget.isOfAddress && kind === 0) {
      cells.push('–')
      continue
    }
    const reached = await reach(callers, seconds, (caller, n) => budget.attempt(caller, 2 * n + kind))
    if (reached.refused.has(500)) run.report({ kind: 'refused', detail: `${budget.what}: 500` })
    cells.push(inWords(reached, seconds, budget))
  }
  return `| ${[budget.what, ...cells].join(' | ')} |`
}

/** Signs in a new wallet each time, from the address of the caller. */
async function signIn({ get, post }: Caller) {
  const account = privateKeyToAccount(generatePrivateKey())
  const asked = await get(`/users/${account.address}/nonce`)
  if (asked.status !== 200) return asked
  const { nonce, message } = JSON.parse(asked.text) as { nonce: string; message: string }
  const sig = await account.signMessage({ message })
  return post('/signin', { address: account.address, msg: message, nonce, sig })
}

/** Turns mails on as the admin, so the address counts as confirmed. */
async function wantMails(url: string, adminKey: string, walletaddr: string): Promise<void> {
  const { status } = await fetch(`${url}/v1/update_settings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ walletaddr, email: mailbox, notifydm: 'true' }),
  })
  if (status !== 200) throw new Error(`the settings of the victim were answered with ${status}`)
}

const countTo = (inbox: Received[], is: (recipient: string) => boolean) =>
  inbox.filter(({ recipients }) => recipients.some(is)).length
