// This file has what differs between one machine and a cluster (docs/cluster.md). Db.layout is one of the two values, by what the
// database says when it is opened (db/layout.ts). The floors above use it and do not know which one it is.

import type { Layout, LayoutName } from '../db/layout.ts'
import { type Copies, copies, noCopies } from './changes.ts'
import { clusterLog } from './cluster-log.ts'
import { clusterIds, type Ids, machineIds } from './ids.ts'
import { clusterInbox } from './inbox/copied.ts'
import type { Inbox } from './inbox/inbox.ts'
import { machineInbox } from './inbox/machine.ts'
import { type Log, machineLog } from './log.ts'
import { createShards } from './shards.ts'

declare module '../db/layout.ts' {
  interface Layout {
    /** Says which ids may exist, and which are visible. */
    readonly ids: Ids
    readonly log: Log
    /** These are the copies of conversations by wallet. */
    readonly copies: Copies
    /** Says what an inbox shows, and what is unread. */
    readonly inbox: Inbox
  }
}

const machine: Layout = {
  name: 'machine',
  settings: {},
  hasStandby: true,
  sharesReads: true,
  createShards: undefined,
  ids: machineIds,
  log: machineLog,
  copies: noCopies,
  inbox: machineInbox,
}

const cluster: Layout = {
  name: 'cluster',
  // A cluster plans by the values of a statement: they say to which node it goes. One plan for all values fails there, and can
  // crash its coordinator. One connection to each node is enough, because most statements go to one.
  settings: { plan_cache_mode: 'auto', 'citus.max_adaptive_executor_pool_size': '1' },
  hasStandby: false,
  // A shared statement would go to all nodes, where most reads alone go to one.
  sharesReads: false,
  createShards,
  ids: clusterIds,
  log: clusterLog,
  copies,
  inbox: clusterInbox,
}

export const layouts: Record<LayoutName, Layout> = { machine, cluster }
