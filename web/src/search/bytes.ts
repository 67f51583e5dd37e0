// Numbers and texts as bytes: a number takes seven bits of each byte, and the eighth says that another byte follows.

import { toBytes, toText } from '@parley/sdk/bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>

export class Writer {
  private bytes: Bytes = new Uint8Array(256)
  length = 0

  private room(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }

  /** Adds a number that is not negative. */
  number(value: number): void {
    this.room(8)
    let rest = value
    while (rest > 127) {
      this.bytes[this.length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.bytes[this.length++] = rest
  }

  /** Adds a number that may be negative. */
  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value)
  }

  raw(bytes: Uint8Array): void {
    this.room(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  text(text: string): void {
    const bytes = toBytes(text)
    this.number(bytes.length)
    this.raw(bytes)
  }

  end(): Bytes {
    return this.bytes.slice(0, this.length)
  }
}

export class Reader {
  private readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  number(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  signed(): number {
    const value = this.number()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  text(): string {
    const length = this.number()
    this.at += length
    return toText(this.bytes.subarray(this.at - length, this.at))
  }
}
