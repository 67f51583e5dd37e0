import type { Db } from './pool.ts'

/** Waits until no other transaction holds the lock of this name, on any instance, and holds it until this one ends. */
export const lockByName = (tx: Db, name: string) =>
  tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0)) is null as locked', [name])
