// The decoder is a separate process. The cost of a picture is known only when it is decoded, and only a process can be ended in
// the middle of that. It also does not get the service's settings, so a fault in a decoder does not read secrets from it. It
// starts with the first picture, and ends after a minute without one.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { minute } from '../lib/times.ts'
import type { Drawn, Undrawn } from './decode.ts'

let decoder: Promise<ChildProcess> | undefined
let idle: NodeJS.Timeout | undefined
const idleMs = minute

/** Decodes one picture after the other: the caller waits for the result before the next call. */
export async function decode(
  picture: Undrawn,
  seconds: number,
): Promise<Drawn | 'damaged' | 'slow' | 'died'> {
  clearTimeout(idle)
  const child = await (decoder ??= start().catch((cause) => {
    decoder = undefined
    throw new ApiError('unavailable', 'Pictures cannot be decoded now. Send it again in a minute.', {
      retryAfter: 60,
      cause,
    })
  }))
  const answered = new AbortController()
  const { signal } = answered
  child.send(picture, () => {})
  const answer = await Promise.race([
    once(child, 'message', { signal }).then(([message]) => message as Drawn | 'damaged'),
    once(child, 'exit', { signal }).then(() => 'died' as const),
    sleep(seconds * 1000, 'slow' as const, { signal }),
  ])
  answered.abort()
  if (answer === 'slow') await end(child)
  idle = setTimeout(() => void end(child), idleMs).unref()
  return answer
}

async function start(): Promise<ChildProcess> {
  const child = fork(new URL('./decode.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: [],
    // Warnings about pictures are of no use in the log.
    env: { VIPS_WARNING: '0' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('error', () => {})
  child.once('exit', () => (decoder = undefined))
  // It does not keep the service running.
  child.unref()
  child.channel?.unref()
  const started = new AbortController()
  const { signal } = started
  const ready = await Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }).then(() => undefined),
  ])
  started.abort()
  if (!ready) throw new Error('the decoder of pictures does not start')
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
