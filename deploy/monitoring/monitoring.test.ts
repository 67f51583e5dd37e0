// The alerts and the dashboard name metrics that a service shows, and Prometheus' own tool takes the rules.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { useService } from '../../testing/service/service.ts'

const folder = import.meta.dirname
const run = promisify(execFile)
const read = (file: string) => readFile(path.join(folder, file), 'utf8')
const metricsToken = 'a-token-for-metrics-that-is-long-enough'

const service = useService({ metricsToken })

test('every metric that alerts, dashboard and docs name is shown, and docs name every one', async () => {
  const { body } = await service.app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  const shown = new Set([...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name!))
  const operations = await read('../../docs/operations.md')
  const documented = new Set([...operations.matchAll(/^- `(parley_\w+)`/gm)].map(([, name]) => name!))
  expect(documented).toEqual(new Set([...shown].filter((name) => name.startsWith('parley_'))))
  const dashboard = JSON.parse(await read('grafana-dashboard.json'))
  const alerts = parse(await read('alerts.yml')).groups[0].rules as { alert: string; expr: string }[]
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
      (panel.targets ?? []).map(({ expr }) => expr),
    ),
  ]
  const named = [...expressions.join('\n').matchAll(/\b(?:parley|process|nodejs)_\w+/g)]
  expect(named.length).toBeGreaterThan(30)
  const known = (name: string) => shown.has(name) || shown.has(name.replace(/_(?:count|sum|bucket)$/, ''))
  expect(named.map(([name]) => name).filter((name) => !known(name))).toEqual([])
  // What to do stands under a heading of that page.
  for (const [, heading] of (await read('alerts.yml')).matchAll(/See "([^"]+)" in docs\/operations\.md/gi))
    expect(operations).toContain(`## ${heading}\n`)
})

test('what was refused, and what waits, is counted', async () => {
  const metric = async (pattern: RegExp) => {
    const headers = { authorization: `Bearer ${metricsToken}` }
    return Number(pattern.exec((await service.app.inject({ url: '/metrics', headers })).body)?.[1])
  }
  const refused = /^parley_problems_total\{code="unauthorized"\} (\d+)/m
  const before = (await metric(refused)) || 0
  await service.app.inject('/v1/get_inbox/0x00000000000000000000000000000000000000aa')
  expect(await metric(refused)).toBe(before + 1)
  expect(await metric(/^parley_pool_connections\{pool="primary",state="idle"\} (\d+)/m)).toBeGreaterThan(0)
  expect(await metric(/^parley_oldest_job_seconds (\S+)/m)).toBe(0)
  await service.ctx.db.query(
    `select 1 as queued from graphile_worker.add_job('send-mail', '{}'::json, run_at => now() - interval '1 hour')`,
  )
  expect(await metric(/^parley_jobs_waiting\{task="send-mail",state="due"\} (\d+)/m)).toBe(1)
  expect(await metric(/^parley_oldest_job_seconds (\S+)/m)).toBeGreaterThan(3500)
})

test('promtool takes the rules, and their tests pass', async ({ skip }) => {
  const has = await run('promtool', ['--version']).catch(() => undefined)
  skip(!has, 'promtool is not installed (apt-get install prometheus)')
  await run('promtool', ['check', 'rules', 'alerts.yml'], { cwd: folder })
  const { stdout } = await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: folder })
  expect(stdout).toContain('SUCCESS')
})
