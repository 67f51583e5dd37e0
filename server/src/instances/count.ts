import { availableParallelism } from 'node:os'

/**
 * Returns the number of processes: INSTANCES, or for `auto` half of the cores that this process may use. PostgreSQL has the other
 * half. On one or two cores it is one process.
 */
export const countInstances = (instances: number | 'auto', cores: number = availableParallelism()): number =>
  instances === 'auto' ? Math.max(1, Math.floor(cores / 2)) : instances
