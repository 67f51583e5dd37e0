import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Following } from '../db/standby.ts'
import { logPolls } from '../telemetry/metrics.ts'
import { asItIsNow } from './as-it-is-now.ts'
import { isChange, type Item, type Tail } from '../cluster/log.ts'

/** This is what a reader finds, with the position after it: an item, or no item where some may have been missed for good. */
interface Finding {
  item: Item | undefined
  position: number | undefined
}
export type Findings = AsyncGenerator<Finding, void, undefined>

interface Reader {
  /** Settles when reading has begun: everything that is committed from then on is found. It fails when the database is away. */
  begun: Promise<void>
  /** Yields what is found from now on, in the order in which it becomes visible and then of ids, until `stop` is called. */
  read: () => Findings
  /** Reads what is new, soon. */
  poll: () => void
  stop: () => void
  /** Everything up to here has been handed out; it is undefined where that cannot be said yet. */
  readonly position: number | undefined
}

/** Two polls have a pause between them, in milliseconds: one poll reads many commits. */
const pause = 10
/** At most this many polls wait for transactions that were running when the reading began. */
const patience = 50

/** A log is read here: in the database, or in a standby of it, which shows what is wanted some time later. */
type Source = Pick<Following, 'db' | 'isBehind' | 'shown'>

/**
 * Reads the log from now on, each time `poll` is called. A poll that fails is repeated by the next one. `handedOut` learns which
 * polls have been handed out.
 */
function createReader(source: Source, log: Logger, handedOut: HandedOut): Reader {
  const { db } = source
  const beginning = Promise.withResolvers<void>()
  let hasBegun = false
  let position: number | undefined
  const stopping = new AbortController()
  let failing = false
  const requests = createRequests()

  async function next(tail: Tail) {
    const poll = handedOut.begin()
    const batch = await tail.poll()
    logPolls.inc()
    if (!batch.isComplete || source.isBehind) requests.make()
    return { ...batch, found: await present(batch.found), poll, shown: source.shown }
  }

  /** Few events are about a change of a message. */
  const present = async <One extends { item: Item }>(found: One[]) =>
    found.some(({ item }) => isChange(item)) ? asItIsNow(db, found) : found

  async function* read(): Findings {
    const tail = await db.layout.log.openTail(db).catch(beginning.reject)
    if (!tail) return
    position = tail.position
    try {
      for (let polls = 0; ; polls++) {
        // A transaction in flight at the start would be missed if its end is not seen before the first stream opens. If it takes
        // long, a finding without an item says so when it has ended.
        hasBegun ||= position !== undefined || polls >= patience
        if (hasBegun) beginning.resolve()
        if (hasBegun) await requests.next()
        if (stopping.signal.aborted) return
        const batch = await next(tail).catch(reportOnce)
        for (const finding of batch?.found ?? []) {
          if (stopping.signal.aborted) return
          yield finding
          position = finding.position
        }
        position = tail.position
        if (batch?.lost && hasBegun) yield { item: undefined, position }
        if (batch) {
          handedOut.reached(batch.poll, batch.shown)
          failing = false
        }
        await sleep(pause)
      }
    } finally {
      beginning.resolve()
    }
  }

  function reportOnce(error: Error): void {
    handedOut.failed(error)
    if (!failing) log.warn(`live events wait for the database: ${error.message}`)
    failing = true
  }

  return {
    begun: beginning.promise,
    read,
    poll: requests.make,
    stop() {
      stopping.abort()
      requests.make()
    },
    get position() {
      return position
    },
  }
}

/** Reads the log from `start` to `stop`. The findings go to `deliver`, which runs until they end. */
export function createReading(source: Source, log: Logger, deliver: (findings: Findings) => Promise<void>) {
  let reader: Reader | undefined
  const handedOut = createHandedOut()

  function open(): Reader {
    const opened = createReader(source, log, handedOut)
    void deliver(opened.read()).finally(() => {
      if (reader === opened) reader = undefined
    })
    return opened
  }

  return {
    /** Settles when reading has begun: everything that is committed from then on is found. */
    start: (): Promise<void> => (reader ??= open()).begun,
    stop(): void {
      reader?.stop()
      reader = undefined
      handedOut.end()
    },
    /**
     * Settles when everything has been delivered that the log had before this call, or reading has stopped. Of a standby, this is
     * up to a position of the primary's write-ahead log. It fails when the log cannot be read.
     */
    async hasDelivered(position?: bigint): Promise<void> {
      // The last stream may have gone while the position was read.
      if (!reader) return
      const delivered = handedOut.upTo(position)
      reader.poll()
      await delivered
    },
    /** Reads what is new, soon. */
    poll: (): void => reader?.poll(),
    /** Everything up to here has been delivered; it is undefined where that cannot be said yet. */
    get position() {
      return reader?.position
    },
  }
}

/** Collects requests for a poll. Those that come before or while a poll runs lead to one further poll. */
function createRequests() {
  let isMade = false
  let wake = () => {}
  return {
    make: () => {
      isMade = true
      wake()
    },
    /** Settles when a request has been made since the last call. */
    async next(): Promise<void> {
      if (!isMade) await new Promise<void>((resolve) => (wake = resolve))
      isMade = false
    },
  }
}

type HandedOut = ReturnType<typeof createHandedOut>

interface Waiting {
  /** Only polls after this one count. */
  after: number
  /** The poll must have shown the primary's write-ahead log up to here. */
  position: bigint | undefined
  resolve: () => void
  reject: (error: Error) => void
}

/** Says when everything that the log had at some moment has been handed out. Polls run one after the other. */
function createHandedOut() {
  let polls = 0
  let waiting: Waiting[] = []
  const takeAll = () => waiting.splice(0)
  return {
    /**
     * Settles when a poll that begins after this call has been handed out, and has shown everything up to a position of the
     * primary's write-ahead log, or nothing is handed out any longer.
     */
    upTo: (position: bigint | undefined): Promise<void> =>
      new Promise((resolve, reject) => void waiting.push({ after: polls, position, resolve, reject })),
    /** This is called when a poll begins; returns its number. */
    begin: (): number => ++polls,
    /** This is called when a poll has been handed out, with the position it has shown; undefined stands for all there is. */
    reached(poll: number, shown: bigint | undefined): void {
      const isThere = ({ after, position }: Waiting) =>
        poll > after && (position === undefined || shown === undefined || position <= shown)
      const all = takeAll()
      waiting = all.filter((one) => !isThere(one))
      for (const one of all) if (isThere(one)) one.resolve()
    },
    /** This is called when a poll has failed: who waits learns it. */
    failed(error: Error): void {
      for (const { reject } of takeAll()) reject(error)
    },
    end(): void {
      for (const { resolve } of takeAll()) resolve()
    },
  }
}
