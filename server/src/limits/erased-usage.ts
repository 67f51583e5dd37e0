import type { Config } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { erasureHash, moveUsage, rowOfErased, type Usage } from './daily-usage.ts'

/** Counts the use of a wallet also while its account is erased, and afterwards, so that nobody begins a new day that way. */
export function ofErased(
  { db, config }: { db: Db; config: Config & { jwtSecret: string } },
  usagesOf: (wallet: string) => (Usage | undefined)[],
) {
  const nameRow = (wallet: string, row: string) => {
    for (const usage of usagesOf(wallet)) if (usage) usage.row = row
  }
  const erasedRowOf = (wallet: string) => rowOfErased(erasureHash(config.jwtSecret, wallet))
  return {
    /** Does the work that erases a wallet, and stores its use under a keyed hash, until the wallet signs in again. */
    async erase(wallet: string, work: () => Promise<void>): Promise<void> {
      const usages = usagesOf(wallet).filter((usage) => usage !== undefined)
      for (const usage of usages) usage.moving = { ...usage.stored }
      nameRow(wallet, erasedRowOf(wallet))
      try {
        await work()
      } catch (error) {
        nameRow(wallet, wallet)
        throw error
      } finally {
        for (const usage of usages) usage.moving = undefined
      }
    },
    async welcome(wallet: string): Promise<void> {
      await db.transaction((tx) => moveUsage(tx, erasedRowOf(wallet), wallet))
      nameRow(wallet, wallet)
    },
  }
}
