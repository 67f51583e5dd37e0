import { LRUCache } from 'lru-cache'
import type { Config } from '../config/settings.ts'

type Memory<Answer extends object | string> = LRUCache<string, Answer, () => Promise<Answer>>

/**
 * Caches results of the chains for a number of milliseconds each. Equal calls at once are one call. Each configuration has its
 * own cache.
 */
export function createMemory<Answer extends object | string>(
  lifetimeOf: (answer: Answer) => number,
  most = 50_000,
): (config: Pick<Config, 'rpcUrls'>) => Memory<Answer> {
  const memories = new WeakMap<object, Memory<Answer>>()
  return ({ rpcUrls }) => {
    const memory = memories.get(rpcUrls) ?? newMemory(lifetimeOf, most)
    memories.set(rpcUrls, memory)
    return memory
  }
}

const newMemory = <Answer extends object | string>(
  lifetimeOf: (answer: Answer) => number,
  most: number,
): Memory<Answer> =>
  new LRUCache({
    // With `max` it would reserve the room of all entries at once.
    maxSize: most,
    sizeCalculation: () => 1,
    // This is read at each call, because a test may replace the clock.
    perf: { now: () => performance.now() },
    fetchMethod: async (_question, _stale, { context: ask, options }) => {
      const answer = await ask()
      options.ttl = lifetimeOf(answer)
      return answer
    },
    // The last result stays when the next call fails.
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    // Callers get their result also when it was removed from the cache meanwhile.
    ignoreFetchAbort: true,
  })
