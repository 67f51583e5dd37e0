import type { Push } from '../../server/src/features/notifications/push-content.ts'
import { startPushService } from '../outside/push-service.ts'
import { newWallet, type Service, startService } from '../service/service.ts'

/** Runs the jobs, also those that wait for their time. */
export async function runWaitingJobs(service: Service, after = 60_000): Promise<void> {
  await service.runJobs()
  await service.ctx.db.query(
    `update graphile_worker._private_jobs set run_at = now() where run_at < now() + $1 * interval '1 millisecond'`,
    [after],
  )
  await service.runJobs()
  await service.runJobs()
}

/** Starts a service that sends pushes to a push service of the tests, and people whose browsers get them. */
export async function startPushing(options: Parameters<typeof startService>[0] = {}) {
  const pushService = await startPushService()
  const service = await startService({
    publicUrl: 'https://chat.example.org',
    privatePushHosts: [pushService.host],
    ...options,
  })

  async function newPerson({ subscribe = true }: { subscribe?: boolean } = {}) {
    const address = newWallet()
    const client = await service.as(address)
    const name = `browser-${address.slice(-6)}`
    if (subscribe) await client.putPushSubscription({ body: pushService.subscribe(name) })
    return {
      address,
      client,
      pushes: () => pushService.received.filter(({ endpoint }) => endpoint === name),
      told: (): [Push['kind'], string, string][] =>
        pushService.received
          .filter(({ endpoint }) => endpoint === name)
          .map(({ push }) => [push.kind as Push['kind'], push.title, push.body]),
    }
  }

  return {
    service,
    pushService,
    newPerson,
    work: async (after?: number): Promise<void> => runWaitingJobs(service, after),
    /** Moves the last push half a minute into the past. */
    later: () => service.ctx.db.query('update push_marks set told_ms = told_ms - 60000'),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await pushService[Symbol.asyncDispose]()
    },
  }
}

export type PushPerson = Awaited<ReturnType<Awaited<ReturnType<typeof startPushing>>['newPerson']>>
