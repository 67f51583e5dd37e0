import { LRUCache } from 'lru-cache'
import type { Config } from '../config/settings.ts'

type Memory<Answer extends object | string> = LRUCache<string, Answer, () => Promise<Answer>>

/**
 * Remembers answers of the chains for so many milliseconds each. Of many equal questions at once,
 * one is asked. Each configuration has a memory of its own.
 */
export function createMemory<Answer extends object | string>(
  lifetimeOf: (answer: Answer) => number,
): (config: Pick<Config, 'rpcUrls'>) => Memory<Answer> {
  const memories = new WeakMap<object, Memory<Answer>>()
  return ({ rpcUrls }) => {
    const memory = memories.get(rpcUrls) ?? newMemory(lifetimeOf)
    memories.set(rpcUrls, memory)
    return memory
  }
}

const newMemory = <Answer extends object | string>(lifetimeOf: (answer: Answer) => number): Memory<Answer> =>
  new LRUCache({
    max: 50_000,
    // Looked up at each call, because a test may replace the clock.
    perf: { now: () => performance.now() },
    fetchMethod: async (_question, _stale, { context: ask, options }) => {
      const answer = await ask()
      options.ttl = lifetimeOf(answer)
      return answer
    },
    // The last answer stays when the next question fails.
    noDeleteOnFetchRejection: true,
    noDeleteOnStaleGet: true,
    // Callers get their answer also when it was removed from memory meanwhile.
    ignoreFetchAbort: true,
  })
