import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take long, in the order in which they begin. A long file that began last would run alone at the end. Files
 * that keep both cores busy alternate with files that mostly wait, so that time limits hold.
 */
const longFiles = [
  'drills/drills.test.ts',
  'server/src/features/communities/tweets.test.ts',
  'server/src/chains/ownership.test.ts',
  'server/test/limits.test.ts',
  'server/src/db/embedded/embedded.test.ts',
  'drills/model.test.ts',
  'web/test/',
  'bench/bench.test.ts',
  'server/src/features/images/routes.test.ts',
  'server/test/life-cycle.test.ts',
  'server/test/parley.test.ts',
  'server/test/main.test.ts',
]

/** Orders the test files so that no worker is left with a long one at the end. */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longFiles.findIndex((path) => moduleId.includes(`/${path}`))
  return place === -1 ? longFiles.length : place
}
