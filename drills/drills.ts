import type { Drill } from './drill.ts'
import { attackerBudget } from './scenarios/attacker-budget.ts'
import { clockSkew } from './scenarios/clock-skew.ts'
import { diskFull } from './scenarios/disk-full.ts'
import { failover } from './scenarios/failover.ts'
import { files } from './scenarios/files.ts'
import { filesInBucket } from './scenarios/files-in-bucket.ts'
import { killDatabase } from './scenarios/kill-database.ts'
import { killService } from './scenarios/kill-service.ts'
import { laggingStandby } from './scenarios/lagging-standby.ts'
import { longHistories } from './scenarios/long-histories.ts'
import { noisyNeighbour } from './scenarios/noisy-neighbour.ts'
import { partition } from './scenarios/partition.ts'
import { pointInTime } from './scenarios/point-in-time.ts'
import { poolExhaustion } from './scenarios/pool-exhaustion.ts'
import { restore } from './scenarios/restore.ts'
import { rollingRestart } from './scenarios/rolling-restart.ts'
import { shardMove } from './scenarios/shard-move.ts'
import { slowConsumer } from './scenarios/slow-consumer.ts'
import { slowloris } from './scenarios/slowloris.ts'
import { twoInstances } from './scenarios/two-instances.ts'
import { upgrade } from './scenarios/upgrade.ts'
import { webhookKills } from './scenarios/webhook-kills.ts'

/** This lists every drill. */
export const drills: Drill[] = [
  killService,
  webhookKills,
  killDatabase,
  files,
  filesInBucket,
  failover,
  partition,
  slowConsumer,
  diskFull,
  poolExhaustion,
  slowloris,
  clockSkew,
  twoInstances,
  laggingStandby,
  rollingRestart,
  upgrade,
  restore,
  pointInTime,
  longHistories,
  noisyNeighbour,
  attackerBudget,
  shardMove,
]
