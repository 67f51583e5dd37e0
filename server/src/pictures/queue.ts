import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Who } from '../limits/at-once.ts'
import { placeOnNet } from '../limits/network.ts'
import { tooMany } from '../limits/too-many.ts'
import { waiting } from '../telemetry/metrics.ts'

interface Turn {
  caller: string
  place: string
  /** How many of its place were before it: the place with fewer goes first. */
  slot: number
  /** How many of the caller's own were before it: of a place, the caller with fewer goes first. */
  round: number
  start: () => void
  refuse: (error: ApiError) => void
}

interface Most {
  ofCaller: number
  ofNetwork: number
  ofAll: number
}

/**
 * One picture at a time, in turns of the network addresses (of IPv6 the /48), and of the wallets of each.
 * Who has just been served comes after a newcomer (limits/at-once.ts does not promise that), so a
 * newcomer waits for one picture of each other network address and wallet of its own at the most.
 */
export class PictureQueue {
  readonly #waiting: Turn[] = []
  #current: Turn | undefined

  /**
   * Refuses what is too much with 429, and with 503 who has none of it. Who has fewer than others takes
   * the place of the last of theirs.
   */
  async take<T>({ caller, network }: Who, most: Most, work: () => Promise<T>): Promise<T> {
    const place = placeOnNet(network)
    const all = [...(this.#current ? [this.#current] : []), ...this.#waiting]
    const near = all.filter((turn) => turn.place === place)
    const own = near.filter((turn) => turn.caller === caller)
    if (own.length >= most.ofCaller) throw refusal()
    const nearest = this.#current?.place === place ? [this.#current] : near
    let round = near.length > 0 ? least(nearest, 'round').round : 0
    if (own.length > 0) round = own.at(-1)!.round + 1
    const slot = near.length > 0 ? Math.max(...near.map((turn) => turn.slot)) + 1 : (this.#current?.slot ?? 0)
    const isFull = all.length >= most.ofAll
    if (
      near.length >= most.ofNetwork
        ? !this.#makeRoomOf(place, round)
        : isFull && !this.#makeRoom(place, near.length, round)
    )
      throw own.length > 0 ? refusal() : full()
    await new Promise<void>((start, refuse) => {
      this.#waiting.push({ caller, place, slot, round, start, refuse })
      waiting.set({ queue: 'pictures' }, this.#waiting.length)
      this.#startNext()
    })
    try {
      return await work()
    } finally {
      this.#current = undefined
      this.#startNext()
    }
  }

  /** Makes room for one of a place that has so many: at the place with most, else at its own. */
  #makeRoom(place: string, count: number, round: number): boolean {
    const counts = new Map<string, number>()
    for (const turn of this.#waiting) counts.set(turn.place, (counts.get(turn.place) ?? 0) + 1)
    const [greatest, most] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0])
    if (most > count + 1) return this.#makeRoomOf(greatest)
    return this.#makeRoomOf(place, round)
  }

  /** Refuses the last picture of the wallet with most. False when nobody of the place has more than who would be of this round. */
  #makeRoomOf(place: string, round = -1): boolean {
    const rounds = this.#waiting.map((turn) => (turn.place === place ? turn.round : -1))
    const greatest = Math.max(...rounds)
    if (greatest <= round) return false
    const [turn] = this.#waiting.splice(rounds.lastIndexOf(greatest), 1)
    turn?.refuse(refusal())
    return true
  }

  #startNext(): void {
    if (this.#current || this.#waiting.length === 0) return
    const turn = least(this.#waiting, 'slot')
    const next = least(
      this.#waiting.filter(({ place }) => place === turn.place),
      'round',
    )
    // It goes now, and the other one of its place later.
    ;[turn.slot, next.slot] = [next.slot, turn.slot]
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    waiting.set({ queue: 'pictures' }, this.#waiting.length)
    this.#current = next
    next.start()
  }
}

/** The first one with the least. */
const least = (turns: Turn[], by: 'slot' | 'round'): Turn =>
  turns.reduce((one, other) => (other[by] < one[by] ? other : one))

const refusal = () =>
  tooMany('pictures', 'You are storing several pictures already. Send this one again in a second.', 1)

const full = () =>
  new ApiError('unavailable', 'Many pictures are being stored. Send it again in a second.', { retryAfter: 1 })
