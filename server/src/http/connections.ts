// Limits the number of connections: in total, and of one network address, so that no address blocks the others. An idle
// connection counts like any other. Behind trusted proxies all connections are the proxies', so there the share is one of
// requests in progress.

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config/settings.ts'
import { network, networkOf, proxyTest } from '../limits/network.ts'
import { createOpenCount } from '../limits/concurrency.ts'
import { tooMany } from '../limits/too-many.ts'
import { minute } from '../lib/times.ts'
import { limitRefusals } from '../telemetry/metrics.ts'

/** A browser opens six connections, and several people may sit behind one address. */
const leastShare = 16

export function limitConnections(app: FastifyInstance, config: Config, log: Logger): void {
  const { maxConnections, connectionShare, ipv6Factor } = config
  app.server.maxConnections = maxConnections
  // Otherwise a supervisor would hand a connection from one full process to the next.
  Object.assign(app.server, { dropMaxConnection: true })
  app.server.on(
    'drop',
    onceAMinute(() => log.warn('connections are closed: there are MAX_CONNECTIONS already')),
  )
  if (!config.rateLimits) return
  const each = Math.max(leastShare, Math.floor((maxConnections * connectionShare) / 100))
  // Spec gap: an IPv6 /48 is cheap to have, so it gets a quarter of all connections at most.
  const shares = createOpenCount(each, Math.max(each, Math.min(each * ipv6Factor, maxConnections / 4)))
  const isProxy = proxyTest(config.trustedProxies)
  const warn = onceAMinute(() =>
    log.warn(
      'connections are closed: one network address has MAX_CONNECTIONS_SHARE percent of MAX_CONNECTIONS already. If it is your proxy, list it in TRUSTED_PROXIES',
    ),
  )
  // This listener comes before that of HTTP, which then finds the connection closed.
  app.server.prependListener('connection', (socket) => {
    const from = network(socket.remoteAddress ?? '')
    if (from === undefined || isProxy(socket.remoteAddress)) return
    const release = shares.take(from)
    if (release) socket.once('close', release)
    else {
      limitRefusals.inc({ limit: 'connections' })
      socket.destroy()
      warn()
    }
  })
  if (config.trustedProxies.length === 0) return
  app.addHook('onRequest', async (request, { raw }) => {
    // Requests of a proxy itself, such as a health check, are not counted.
    if (raw.destroyed || !isProxy(request.socket.remoteAddress) || isProxy(request.ip)) return
    const release = shares.take(networkOf(request))
    if (!release)
      throw tooMany(
        'connections',
        `Your network address has ${each} requests under way. Wait until some have ended.`,
        1,
      )
    raw.once('close', release)
  })
}

/** Calls a function once a minute at most. */
function onceAMinute(call: () => void): () => void {
  let last = -Infinity
  return () => {
    if (performance.now() - last < minute) return
    last = performance.now()
    call()
  }
}
