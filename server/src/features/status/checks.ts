// These are the checks of the page /status, each in a sentence that says what to do.

import type { StatusCheck, StatusMinute } from '@parley/sdk/contract/status.ts'
import type { Gauge } from 'prom-client'
import { isLocal } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import type { Load } from '../../http/load.ts'
import { problemOfClamd } from '../../files/clamd.ts'
import { findDisks, severalDisks } from '../../files/disks.ts'
import { bytes } from '../../lib/amounts.ts'
import { diskBytes, poolConnections, standbyBehind, standbyUsable } from '../../telemetry/metrics.ts'

export interface Found {
  /** Milliseconds that the database took to answer; undefined when it did not. */
  answer: number | undefined
  load: Load | undefined
  minutes: StatusMinute[]
}

type Tools = Pick<Context, 'config' | 'disk' | 'db' | 'fileStore'>

/** Returns all sentences, those that need attention first. */
export async function check(ctx: Tools, found: Found): Promise<StatusCheck[]> {
  const all = [
    requests(found),
    database(found),
    await connections(),
    jobs(ctx, found),
    ...readers(found),
    await disk(ctx),
    await files(ctx, found),
    await scanner(ctx),
    await standby(),
    mail(ctx),
    address(ctx),
  ].filter((one) => one !== undefined)
  const order = ['down', 'late', 'ok']
  return all.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
}

const say = (name: string, state: StatusCheck['state'], detail: string): StatusCheck => ({
  name,
  state,
  detail,
})

function requests({ minutes }: Found): StatusCheck {
  const last = minutes.slice(-5)
  const [all, errors, refused] = (['requests', 'errors', 'refused'] as const).map((name) =>
    last.reduce((sum, minute) => sum + minute[name], 0),
  ) as [number, number, number]
  const said = `${all} in five minutes, ${errors} failed, ${refused} refused by a limit.`
  if (errors > all / 100) return say('Requests', 'late', `${said} The log has a line for each that failed.`)
  if (all >= 100 && refused > all / 20)
    return say('Requests', 'late', `${said} Somebody sends very much, or TRUSTED_PROXIES is not set.`)
  return say('Requests', 'ok', said)
}

const database = ({ answer }: Found) =>
  answer === undefined
    ? say(
        'Database',
        'down',
        'It does not answer. Requests get 503 until it does; nothing has to be restarted.',
      )
    : say('Database', answer > 250 ? 'late' : 'ok', `Answers after ${Math.max(1, Math.round(answer))} ms.`)

async function connections(): Promise<StatusCheck> {
  const { values } = await poolConnections.get()
  const count = (state: string) =>
    values.reduce((sum, { labels, value }) => sum + (labels.state === state ? value : 0), 0)
  const [used, open, waiting] = [count('used'), count('used') + count('idle'), count('waiting')]
  return waiting > 0
    ? say(
        'Connections',
        'late',
        `${waiting} requests wait for one of ${open}. Raise DATABASE_POOL_SIZE if that lasts.`,
      )
    : say('Connections', 'ok', `${used} of ${open} to the database are in use, and no request waits.`)
}

function jobs({ db }: Tools, { load }: Found): StatusCheck | undefined {
  if (!load) return undefined
  const [due, failed] = (['due', 'failed'] as const).map((name) =>
    load.jobs.reduce((sum, job) => sum + job[name], 0),
  ) as [number, number]
  const oldest = Math.min(...load.jobs.map((job) => job.oldest?.getTime() ?? Infinity))
  if (db.now() - oldest > 900_000)
    return say(
      'Jobs',
      'late',
      `${due} wait and ${failed} have failed, one for more than a quarter of an hour.`,
    )
  return failed > 0
    ? say(
        'Jobs',
        'late',
        `${failed} have failed and will be tried again: npm run parley -- retry-jobs --list`,
      )
    : say('Jobs', 'ok', due === 0 ? 'None waits.' : `${due} wait.`)
}

const ofReaders: Record<string, string> = {
  'dm-mails': 'Mails and pushes about messages',
  'chat-pushes': 'Pushes about chats',
  'reaction-pushes': 'Pushes about reactions',
  webhooks: 'Webhooks',
  'conversation-copies': 'Copies of conversations',
}

const readers = ({ load }: Found): StatusCheck[] =>
  (load?.readers ?? []).map(({ name, seconds }) => {
    const what = ofReaders[name] ?? name
    return seconds < 60
      ? say(what, 'ok', 'All messages have been looked at.')
      : say(
          what,
          'late',
          `The oldest message waits for ${Math.round(seconds / 60)} min. Does a transaction last as long?`,
        )
  })

async function disk({ disk: { isShort }, config }: Tools): Promise<StatusCheck | undefined> {
  if (config.databaseUrl !== undefined && !isShort) return undefined
  const free = await valueOf(diskBytes, { kind: 'free' })
  const said = free === undefined ? '' : ` ${bytes(free)} are free.`
  return isShort
    ? say('Disk', 'down', `Too little is free: writes are refused.${said} Make room on the disk of DATA_DIR.`)
    : say('Disk', 'ok', `Writes are taken.${said}`)
}

async function files({ config, db, fileStore }: Tools, { answer }: Found): Promise<StatusCheck> {
  const problem = await fileStore.problem()
  if (problem !== undefined) return say('Files', 'down', problem)
  if (config.s3Url !== undefined)
    return say('Files', 'ok', 'They are in the bucket of S3_URL, which answers.')
  const several = answer === undefined ? undefined : severalDisks(await findDisks(db, db.now()))
  return several ? say('Files', 'late', several) : say('Files', 'ok', 'They are in DATA_DIR/files.')
}

async function scanner({ config: { clamdUrl } }: Tools): Promise<StatusCheck | undefined> {
  if (clamdUrl === undefined) return undefined
  const problem = await problemOfClamd(clamdUrl)
  return problem ? say('Scanner', 'down', problem) : say('Scanner', 'ok', 'It answers.')
}

async function standby(): Promise<StatusCheck | undefined> {
  const usable = await valueOf(standbyUsable)
  if (usable === undefined) return undefined
  if (usable === 0)
    return say('Standby', 'late', 'It is not read: it is away, or no standby of this primary.')
  const behind = (await valueOf(standbyBehind)) ?? 0
  return say(
    'Standby',
    behind > 10 ? 'late' : 'ok',
    `Shows what was stored up to ${Math.round(behind)} s ago.`,
  )
}

const mail = ({ config }: Tools) =>
  say('Mail server', 'ok', config.smtpUrl ? 'Set.' : 'SMTP_URL is not set: mails are only lines in the log.')

function address({ config: { publicUrl, production } }: Tools): StatusCheck {
  const isHere = isLocal({ publicUrl })
  const state = production && (isHere || new URL(publicUrl).protocol !== 'https:') ? 'late' : 'ok'
  return say(
    'Address',
    state,
    `PUBLIC_URL is ${publicUrl}${isHere ? ', which only this machine can open' : ''}.`,
  )
}

/** Returns the value of a gauge, where it shows any. */
async function valueOf(gauge: Gauge, wanted: Record<string, string> = {}): Promise<number | undefined> {
  const { values } = await gauge.get()
  return values.find(({ labels }) =>
    Object.entries(wanted).every(([name, value]) => (labels as Record<string, unknown>)[name] === value),
  )?.value
}
