import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@parley/sdk'
import { issueToken } from '../../server/src/auth/tokens.ts'
import { newDatabase } from './database.ts'
import { templateDatabase } from './global-setup.ts'
import { freePort } from './ports.ts'
import { testSecret } from './service.ts'
import { createServiceProcess, startCommand } from './service-process.ts'

/** Starts the service in a process of its own. */
export async function startProcess() {
  const stack = new AsyncDisposableStack()
  const { databaseUrl } = stack.use(await newDatabase(templateDatabase))
  const folder = await mkdtemp(join(tmpdir(), 'parley-files-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PUBLIC_URL: publicUrl,
    JWT_SECRET: testSecret,
    RATE_LIMITS: 'off',
    HOST: '127.0.0.1',
  }
  const service = stack.use(createServiceProcess({ port, env, command: startCommand() }))
  await service.start()
  const config = { publicUrl, jwtSecret: testSecret }
  return {
    service,
    databaseUrl,
    dataDir: folder,
    as: async (address: string, retry: false | { attempts: number } = false) =>
      createClient({ baseUrl: publicUrl, token: await issueToken({ config }, address), retry }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
