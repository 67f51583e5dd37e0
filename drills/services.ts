// These are the processes of a run: services, and a PostgreSQL that they may share.

import path from 'node:path'
import { findRunning, startEmbedded } from '../server/src/db/embedded/start.ts'
import { citusUrl, newClusterDatabase } from '../testing/service/citus.ts'
import { freePort } from '../testing/service/ports.ts'
import {
  createServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
} from '../testing/service/service-process.ts'
import { digestOf } from './random.ts'

/**
 * Opens the services. Everything that is started here has its files below `directory` and ends with `stack`. `prepare` puts a
 * database into a data directory before its first start.
 */
export function openServices(
  seed: number,
  directory: string,
  stack: AsyncDisposableStack,
  prepare: (dataDir: string) => Promise<void> = async () => {},
) {
  const services: ServiceProcess[] = []
  const dataDir = path.join(directory, 'data')
  let databaseUrl: string | undefined
  let seen = dataDir
  const jwtSecret = digestOf(seed, 'secret')
  return {
    services,
    dataDir,
    jwtSecret,
    /** Returns the URL of the services' database. */
    findDatabase: async () => databaseUrl ?? (await findRunning(seen))!,

    /**
     * Starts a PostgreSQL of the drill's own, or makes a database on the cluster of TEST_CITUS_URL; services share it by its URL.
     * An empty one has no tables before the first service starts.
     */
    async startDatabase({ isEmpty = false } = {}) {
      if (citusUrl !== undefined) return stack.use(await newClusterDatabase())
      const own = path.join(directory, 'database')
      const settings = { max_connections: '200' }
      if (!isEmpty) await prepare(own)
      const { url } = stack.use(await startEmbedded({ dataDir: own, log: () => {}, settings }))
      return { url }
    },

    /**
     * Starts a service: on its own embedded database when `env` names none. All of them share their secret and public
     * address. `seenAt` is its data as this process sees it, when it has a file system of its own.
     */
    async startService(
      env: Record<string, string> = {},
      { seenAt, ...how }: Pick<ServiceProcessOptions, 'command'> & { seenAt?: string } = {},
    ): Promise<ServiceProcess> {
      const port = await freePort()
      databaseUrl = env.DATABASE_URL
      seen = seenAt ?? dataDir
      if (databaseUrl === undefined && seenAt === undefined && services.length === 0) await prepare(dataDir)
      const service = createServiceProcess({
        ...how,
        port,
        env: {
          DATA_DIR: dataDir,
          JWT_SECRET: jwtSecret,
          PUBLIC_URL: services[0]?.url ?? `http://127.0.0.1:${port}`,
          LOG_LEVEL: 'warn',
          RATE_LIMITS: 'off',
          ...env,
        },
        // The leash of the run finds it there.
        cwd: directory,
      })
      services.push(stack.use(service))
      await service.start()
      return service
    },
  }
}
