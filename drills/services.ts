// The processes of a run: services, and a PostgreSQL that they may share.

import path from 'node:path'
import { findRunning, startEmbedded } from '../server/src/db/embedded/start.ts'
import { citusUrl, newClusterDatabase } from '../testing/citus.ts'
import { freePort } from '../testing/ports.ts'
import {
  createServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
} from '../testing/service-process.ts'
import { digestOf } from './random.ts'

/** Everything that is started here keeps its files below `directory` and ends with `stack`. */
export function openServices(seed: number, directory: string, stack: AsyncDisposableStack) {
  const services: ServiceProcess[] = []
  const dataDir = path.join(directory, 'data')
  let databaseUrl: string | undefined
  let seen = dataDir
  const jwtSecret = digestOf(seed, 'secret')
  return {
    services,
    dataDir,
    jwtSecret,
    /** The database of the services. */
    findDatabase: async () => databaseUrl ?? (await findRunning(seen))!,

    /** Starts a PostgreSQL of the drill's own, or makes a database on the cluster of TEST_CITUS_URL; services share it by its URL. */
    async startDatabase() {
      if (citusUrl !== undefined) return stack.use(await newClusterDatabase())
      const own = path.join(directory, 'database')
      const settings = { max_connections: '200' }
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
        // Where the leash of the run finds it.
        cwd: directory,
      })
      services.push(stack.use(service))
      await service.start()
      return service
    },
  }
}
