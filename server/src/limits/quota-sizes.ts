// These are the daily quotas, as the settings have them.

import type { Config } from '../config/settings.ts'
import { mebibyte } from '../lib/amounts.ts'
import type { Counted, Counts } from './daily-usage.ts'

export type Owned = 'wallet' | 'network' | 'site'

export function quotasOf(config: Config): Record<Owned, Counts> {
  const network: Counts = {
    bytes: config.storedOfAddress * mebibyte,
    pictures: config.picturesOfAddress * mebibyte,
    strangers: config.strangersOfAddress,
    comments: config.commentsOfAddress,
    communities: config.communitiesOfAddress,
    reports: config.reportsOfAddress,
    files: config.filesOfAddress,
    changes: config.changesOfAddress,
  }
  const names = Object.keys(network) as Counted[]
  return {
    wallet: {
      bytes: config.storedADay * mebibyte,
      pictures: config.picturesADay * mebibyte,
      strangers: config.strangersADay,
      comments: config.commentsADay,
      communities: config.communitiesADay,
      reports: config.reportsADay,
      files: config.filesADay,
      changes: config.changesADay,
    },
    network,
    site: Object.fromEntries(names.map((name) => [name, network[name] * config.ipv6Factor])) as Counts,
  }
}
