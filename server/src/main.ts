import { createApp } from './app.ts'
import { crontab, tasks } from './background.ts'
import { describeSettings, readConfig } from './core/config.ts'
import { openContext } from './core/context.ts'
import { startJobs } from './core/job-runner.ts'

if (process.argv.includes('--help')) {
  console.log(
    `Parley: messaging where a wallet address is the identity.\n\nUsage: npm start\n\nSettings, by environment:\n${describeSettings()}`,
  )
  process.exit()
}

const stopping = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
})

try {
  const config = readConfig()
  await using ctx = await openContext(config)
  await using _jobs = startJobs(ctx, ctx.databaseUrl, { tasks, crontab })
  const app = await createApp(ctx)
  try {
    await app.listen({ host: config.host, port: config.port })
    console.log(`Parley API   ${config.publicUrl}\nParley docs  ${config.publicUrl}/docs/index.html`)
    await stopping
  } finally {
    await app.close()
  }
} catch (error) {
  console.error(`Parley could not start. ${startError(error as Error & { code?: string })}`)
  process.exitCode = 1
}

function startError({ code, message }: Error & { code?: string }): string {
  if (code === 'EADDRINUSE') return `${message}. Another program uses this port: stop it, or set PORT.`
  return message
}
