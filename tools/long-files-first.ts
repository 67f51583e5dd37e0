import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than four seconds and mostly wait, and those that take minutes; the longest ones first. */
const longFiles = [
  'drills/drills.test.ts',
  'server/test/heavy-calls.test.ts',
  'server/test/instances.test.ts',
  'tools/pack-server.test.ts',
  'drills/ending.test.ts',
  'web/test/accessibility.test.ts',
  'server/test/standby.test.ts',
  'server/test/agent-killed.test.ts',
  'server/test/decided.test.ts',
  'server/test/event-loop.test.ts',
  'server/src/db/embedded/embedded.test.ts',
  'server/test/limits.test.ts',
  'tools/pack-sdk.test.ts',
  'tools/docs-pages.test.ts',
  'server/src/operate/program.test.ts',
  'bench/bench.test.ts',
  'bench/simulate/simulate.test.ts',
  'server/test/failover.test.ts',
  'server/src/chains/ownership.test.ts',
  'server/src/features/communities/tweets.test.ts',
  'server/test/life-cycle.test.ts',
  'drills/model.test.ts',
  'server/src/features/images/hostile.test.ts',
  'server/src/features/images/routes.test.ts',
  'server/test/plans.test.ts',
  'server/test/charged.test.ts',
  'server/test/parley.test.ts',
  'server/src/check/check.test.ts',
  'server/test/quotas.test.ts',
  'server/src/features/events/routes.test.ts',
  'server/src/messages/gate.test.ts',
  'server/test/main.test.ts',
  'server/test/faults.test.ts',
  'server/src/jobs/jobs.test.ts',
  'server/src/features/sign-in/sessions.test.ts',
  'server/test/hardening.test.ts',
]

/** It holds the service to times for a thousand readers, so it runs when little else is left to run. */
const lastFile = 'server/test/slow-readers.test.ts'

/**
 * Long files begin first: one that began last would run alone at the end. They alternate with those of
 * the web client, which keep the processor busy, so that neither it nor the workers have nothing to do.
 */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = files.toSorted((one, other) => placeOf(one) - placeOf(other))
    const web = sorted.filter(({ moduleId }) => moduleId.includes('/web/test/'))
    const last = sorted.filter(({ moduleId }) => moduleId.endsWith(`/${lastFile}`))
    const ordered = sorted.filter((file) => !web.includes(file) && !last.includes(file))
    return ordered
      .flatMap((file, i) => [file, ...web.slice(i, i + 1)])
      .concat(web.slice(ordered.length), last)
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longFiles.findIndex((path) => moduleId.endsWith(`/${path}`))
  return place === -1 ? longFiles.length : place
}
