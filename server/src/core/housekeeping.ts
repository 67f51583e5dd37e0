import type { Context } from './context.ts'

const hour = 3_600_000

/** Forgets, once an hour, what has expired. Several instances may do it side by side. */
export function startHousekeeping(
  { db, log }: Context,
  chores: ((db: Context['db']) => Promise<unknown>)[],
): Disposable {
  const timer = setInterval(() => {
    Promise.all(chores.map((chore) => chore(db))).catch((error: Error) =>
      log.warn(`housekeeping failed, it is tried again in an hour: ${error.message}`),
    )
  }, hour).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
