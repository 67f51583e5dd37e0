// This module sends a push: encrypted to the browser (RFC 8291), signed by the key of the service (RFC 8292), to an address that
// a person's browser gave (outside/call.ts). The push service can read nothing but how urgent it is and which pushes replace each
// other.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Config } from '../../config/settings.ts'
import type { Db } from '../../db/pool.ts'
import { OutsideError } from '../../outside/allowed.ts'
import { callOutside } from '../../outside/call.ts'
import { pushes } from '../../telemetry/metrics.ts'
import { pushSubject } from '../../values/push-subject.ts'
import type { Outcome } from './channel.ts'
import { isQuiet, type Push } from './push-content.ts'
import type { Subscription } from './subscriptions.ts'

interface Keys {
  publicKey: string
  privateKey: string
}

type Settings = Pick<Config, 'publicUrl' | 'mailFrom' | 'pushHosts' | 'privatePushHosts'>

/** Seconds for which a push service stores a push for a device that is off. */
const lifetime = 86_400
/** The lengths that a push may have: they say nothing about the text. Push services accept 4 KiB. */
const lengths = [1024, 3072]

/** Returns the subject, or throws 503 with what is missing. */
export function requireSubject(settings: Settings): string {
  const subject = pushSubject(settings)
  if (subject !== undefined) return subject
  throw new ApiError(
    'unavailable',
    'This service sends no pushes: its operator has to set PUBLIC_URL to an https address, or MAIL_FROM to a mail address, at a host that all of the internet knows. Push services refuse any other contact.',
    { retryAfter: 3600 },
  )
}

const known = new WeakMap<Db, Promise<Keys>>()

/** Returns the keys of the service, made at the first use; all instances have the same. */
export function vapidKeys(db: Db): Promise<Keys> {
  const keys = known.get(db) ?? readKeys(db)
  known.set(db, keys)
  keys.catch(() => known.delete(db))
  return keys
}

async function readKeys(db: Db): Promise<Keys> {
  const { generateVAPIDKeys } = (await import('web-push')).default
  const made = generateVAPIDKeys()
  await db.query(
    `insert into service_keys (name, public_key, private_key) values ('vapid', $1, $2) on conflict (name) do nothing`,
    [made.publicKey, made.privateKey],
  )
  const [row] = await db.query<{ public_key: string; private_key: string }>(
    `select public_key, private_key from service_keys where name = 'vapid'`,
  )
  return { publicKey: row!.public_key, privateKey: row!.private_key }
}

/** Returns true when pushes may go there: a known push service, or a host of the operator's own. */
export function mayPushTo({ pushHosts, privatePushHosts }: Settings, endpoint: string): boolean {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password) return false
  if (privatePushHosts.includes(url.host)) return true
  const { protocol, hostname, port } = url
  const isKnown = pushHosts.some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  )
  return protocol === 'https:' && port === '' && isKnown
}

export async function sendPush(
  { db, config }: { db: Db; config: Settings },
  { endpoint, p256dh, auth }: Pick<Subscription, 'endpoint' | 'p256dh' | 'auth'>,
  push: Push,
): Promise<Outcome> {
  const sent = await trySend({ db, config }, { endpoint, keys: { p256dh, auth } }, push)
  pushes.inc({ outcome: sent.outcome.replace(' ', '-') })
  return sent
}

async function trySend(
  { db, config }: { db: Db; config: Settings },
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
  push: Push,
): Promise<Outcome> {
  if (!mayPushTo(config, subscription.endpoint)) return { status: 0, outcome: 'gone' }
  const { generateRequestDetails } = (await import('web-push')).default
  const subject = requireSubject(config)
  let request: { headers: Record<string, unknown>; body: Buffer | null }
  try {
    request = generateRequestDetails(subscription, padded(push), {
      vapidDetails: { subject, ...(await vapidKeys(db)) },
      TTL: lifetime,
      urgency: isQuiet(push) ? 'low' : ['dm', 'mention', 'test'].includes(push.kind) ? 'high' : 'normal',
      topic: push.tag,
    })
  } catch {
    // Its keys are not keys of a browser.
    return { status: 0, outcome: 'gone' }
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  try {
    const answer = await callOutside({ ownHosts: config.privatePushHosts }, subscription.endpoint, {
      method: 'POST',
      headers,
      body: request.body ?? '',
      maxBytes: 64 * 1024,
      seconds: 10,
      byStatus: true,
    })
    return { status: answer.status, ...meaningOf(answer.status, answer.headers['retry-after']) }
  } catch (error) {
    if (error instanceof OutsideError) return { status: 0, outcome: 'later' }
    throw error
  }
}

function meaningOf(status: number, retryAfter: string | undefined): Pick<Outcome, 'outcome' | 'retryAfter'> {
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  // RFC 8030, 7.3: the subscription has ended.
  if (status === 404 || status === 410) return { outcome: 'gone' }
  if (status === 413) return { outcome: 'too large' }
  if (status !== 429 && status < 500) return { outcome: 'refused' }
  const seconds = secondsOf(retryAfter)
  return { outcome: 'later', ...(seconds !== undefined && { retryAfter: seconds }) }
}

/** Reads a Retry-After: seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(retryAfter = ''): number | undefined {
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return seconds > 0 ? seconds : undefined
}

/** Returns JSON with spaces behind it, so that the push service learns no lengths. */
function padded(push: Push): string {
  const text = JSON.stringify(push)
  const bytes = Buffer.byteLength(text)
  const length = lengths.find((one) => one >= bytes) ?? bytes
  return text + ' '.repeat(length - bytes)
}
