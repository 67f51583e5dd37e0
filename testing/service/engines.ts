// These are tests of one engine. With TEST_CITUS_URL all others run on the cluster (docs/cluster.md).

import { test } from 'vitest'
import { citusUrl } from './citus.ts'

/** These tests are about what a cluster does otherwise or does not have yet, or use what it does not allow. */
export const onOneMachine = test.skipIf(citusUrl !== undefined)

export const onCluster = test.skipIf(citusUrl === undefined)
