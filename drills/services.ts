// The processes of a run: services, and a PostgreSQL that they may share.

import path from 'node:path'
import { startEmbedded } from '../server/src/db/embedded/start.ts'
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
  return {
    services,
    dataDir,

    /** Starts a PostgreSQL of the drill's own; services share it by its URL. */
    async startDatabase() {
      const own = path.join(directory, 'database')
      const settings = { max_connections: '200' }
      const { url } = stack.use(await startEmbedded({ dataDir: own, log: () => {}, settings }))
      return { url, dataDir: own }
    },

    /**
     * Starts a service: on its own embedded database when `env` names none. All of them share their secret and public
     * address.
     */
    async startService(
      env: Record<string, string> = {},
      how: Pick<ServiceProcessOptions, 'command'> = {},
    ): Promise<ServiceProcess> {
      const port = await freePort()
      const service = createServiceProcess({
        ...how,
        port,
        env: {
          DATA_DIR: dataDir,
          JWT_SECRET: digestOf(seed, 'secret'),
          PUBLIC_URL: services[0]?.url ?? `http://127.0.0.1:${port}`,
          LOG_LEVEL: 'warn',
          RATE_LIMITS: 'off',
          ...env,
        },
      })
      services.push(stack.use(service))
      await service.start()
      return service
    },
  }
}
