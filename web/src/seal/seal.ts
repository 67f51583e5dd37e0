// The seal of a wallet is a stamped coin, drawn from all 20 bytes of its address. The same address has the same seal on
// every device, and an address that differs in one digit has another one, so that two addresses with the same first and
// last digits are distinguishable at a glance.
//
// The rim has forty notches, one for each digit of the address: the longer, the higher the digit. The colour and the
// charge are two check digits over all forty (a Reed-Solomon code over GF(16)). So a change of one digit always changes
// the colour, and a change of two neighbours, such as a byte, changes the colour or the charge. A hash of all digits
// makes the remaining choices.

import { canonicalAddress } from './address.ts'
import { bar, type Charge, charges, circle, kite, ring, turns } from './seal-shapes.ts'
import { type Colours, coloursOf, hueOf } from './seal-colours.ts'
import { type Random, randomFrom } from './seal-random.ts'

/** A part is a path on a square of 100 by 100, with its colour. */
interface SealPart {
  d: string
  fill: string
}

/** A seal is on a square of 100 by 100. */
export interface Seal {
  /** The disc that fills the square's circle has this colour. */
  field: string
  rim: SealPart
  /** These parts are stamped inside the rim, from back to front. */
  middle: SealPart[]
}

const memory = new Map<string, Seal>()

/** Returns the seal of an address, or of any other text. */
export function sealOf(address: string): Seal {
  const text = canonicalAddress(address)
  let seal = memory.get(text)
  if (!seal) {
    seal = draw(digitsOf(text))
    if (memory.size >= 500) memory.clear()
    memory.set(text, seal)
  }
  return seal
}

/** Returns the forty digits of an address; for another text those of its hash. */
function digitsOf(text: string): number[] {
  if (/^0x[0-9a-f]{40}$/.test(text)) return Array.from(text.slice(2), (digit) => Number.parseInt(digit, 16))
  const codes = Array.from(text, (char) => char.codePointAt(0)!)
  return Array.from({ length: 40 }, (_, i) => randomFrom([i, ...codes])(16))
}

/** Returns the check digit that chooses the colour. */
const colourOf = (digits: number[]): number =>
  digits.reduce((sum, digit, i) => sum ^ times(digit, power(i)), 0)

/** Returns the hue of a seal, in degrees, in which its wallet’s name is written. */
export const sealHue = (address: string): number => hueOf(colourOf(digitsOf(canonicalAddress(address))))

function draw(digits: number[]): Seal {
  const random = randomFrom(digits)
  const charge = digits.reduce((sum, digit, i) => sum ^ times(digit, power(2 * i)), 0)
  const colours = coloursOf(colourOf(digits), random)
  return {
    field: colours.field,
    rim: { d: notches(digits), fill: colours.rim },
    middle: [...ground(random, colours), ...emblem(charges[charge]!, random, colours)],
  }
}

/** Returns one notch for each digit, clockwise from the top. */
const notches = (digits: number[]): string =>
  digits.map((digit, i) => bar(((i + 0.5) / 40) * 360, 46 - digit * 0.5, 47.3, 1.4)).join('')

/** Returns the parts between the field and the charge. */
function ground(random: Random, { shade }: Colours): SealPart[] {
  switch (random(4)) {
    case 0:
      return [{ d: circle(37.5), fill: shade }]
    case 1:
      return [{ d: ring(37.5, 35.5), fill: shade }]
    default:
      return []
  }
}

function emblem(charge: Charge, random: Random, { ink, accent, field }: Colours): SealPart[] {
  const turn = random(2) * (180 / charge.fold)
  const between = turns(charge.fold, turn + 180 / charge.fold)
  const parts = [
    {
      d: turns(charge.fold, turn)
        .map((angle) => charge.draw(angle))
        .join(''),
      fill: ink,
    },
  ]
  const mark = random(4)
  if (mark === 0) parts.push({ d: between.map((angle) => circle(2.9, angle, 29)).join(''), fill: accent })
  if (mark === 1)
    parts.push({ d: between.map((angle) => kite(angle, 22.5, 28, 33.5, 2.9)).join(''), fill: accent })
  if (mark === 2) parts.push({ d: between.map((angle) => bar(angle, 25, 31.5, 2.4)).join(''), fill: accent })
  const core = random(4)
  if (core < 3) parts.push({ d: circle(7.5), fill: field })
  if (core === 0) parts.push({ d: circle(4.8), fill: accent })
  if (core === 1) parts.push({ d: circle(4.8), fill: ink })
  if (core === 3) parts.push({ d: circle(4.2), fill: accent })
  return parts
}

// The arithmetic is that of the field GF(16), with the polynomial x⁴ + x + 1.

/** Returns the product of two elements. */
function times(a: number, b: number): number {
  let product = 0
  for (let bit = 0; bit < 4; bit++) if (b & (1 << bit)) product ^= a << bit
  for (let bit = 6; bit > 3; bit--) if (product & (1 << bit)) product ^= 0b1_0011 << (bit - 4)
  return product
}

/** Returns the power of the generator x. */
function power(exponent: number): number {
  let element = 1
  for (let i = exponent % 15; i > 0; i--) element = times(element, 2)
  return element
}
