// The shapes of a seal are SVG paths around the middle of a square of 100 by 100. Angles are degrees clockwise from the
// top.

type Point = readonly [x: number, y: number]

const round = (number: number) => Math.round(number * 100) / 100

const at = (angle: number, radius: number): Point => {
  const radians = (angle * Math.PI) / 180
  return [50 + Math.sin(radians) * radius, 50 - Math.cos(radians) * radius]
}

/** Returns a point beside a direction: `radius` out, and `right` to the right of it. */
const beside = (angle: number, radius: number, right: number): Point => {
  const [x, y] = at(angle, radius)
  const [dx, dy] = at(angle + 90, right)
  return [x + dx - 50, y + dy - 50]
}

const p = ([x, y]: Point) => `${round(x)} ${round(y)}`

export const turns = (fold: number, first: number): number[] =>
  Array.from({ length: fold }, (_, i) => first + (i * 360) / fold)

export function circle(radius: number, angle = 0, distance = 0): string {
  const [x, y] = at(angle, distance)
  const r = round(radius)
  return `M${p([x - radius, y])}a${r} ${r} 0 1 1 ${round(2 * radius)} 0a${r} ${r} 0 1 1 ${round(-2 * radius)} 0z`
}

export function ring(outer: number, inner: number, angle = 0, distance = 0): string {
  const [x, y] = at(angle, distance)
  const r = round(inner)
  return `${circle(outer, angle, distance)}M${p([x - inner, y])}a${r} ${r} 0 1 0 ${round(2 * inner)} 0a${r} ${r} 0 1 0 ${round(-2 * inner)} 0z`
}

/** Returns a bar with round ends. */
export function bar(angle: number, from: number, to: number, half: number): string {
  const r = round(half)
  return `M${p(beside(angle, from, -half))}L${p(beside(angle, to, -half))}A${r} ${r} 0 0 1 ${p(beside(angle, to, half))}L${p(beside(angle, from, half))}A${r} ${r} 0 0 1 ${p(beside(angle, from, -half))}z`
}

/** Returns a shape with two pointed ends that is widest at `middle`. */
export const kite = (angle: number, from: number, middle: number, to: number, half: number): string =>
  `M${p(at(angle, from))}L${p(beside(angle, middle, -half))}L${p(at(angle, to))}L${p(beside(angle, middle, half))}z`

/** Returns a leaf with two pointed ends. `bend` moves its tip to the right. */
const leaf = (angle: number, from: number, to: number, half: number, bend = 0): string => {
  const middle = (from + to) / 2
  return `M${p(at(angle, from))}Q${p(beside(angle, middle, -half * 2 + bend * 0.2))} ${p(beside(angle, to, bend))}Q${p(beside(angle, middle, half * 2 + bend * 0.2))} ${p(at(angle, from))}z`
}

/** Returns an arrow head without a shaft. */
const chevron = (angle: number, tip: number, half: number, thick: number): string =>
  `M${p(at(angle, tip))}L${p(beside(angle, tip - half, half))}L${p(beside(angle, tip - half - thick, half))}L${p(at(angle, tip - thick))}L${p(beside(angle, tip - half - thick, -half))}L${p(beside(angle, tip - half, -half))}z`

/** Returns half a disc whose straight side faces the middle. */
const half = (angle: number, gap: number, radius: number): string =>
  `M${p(beside(angle, gap, -radius))}A${radius} ${radius} 0 0 1 ${p(beside(angle, gap, radius))}z`

/** Returns a leaf of clover. */
const heart = (angle: number, radius: number): string =>
  circle(radius, angle - 17, 21.5) + circle(radius, angle + 17, 21.5) + kite(angle, 1, 20, 26, 11)

/** Returns a part of a ring. */
const arc = (angle: number, inner: number, outer: number, degrees: number): string => {
  const [a, b] = [angle - degrees / 2, angle + degrees / 2]
  return `M${p(at(a, inner))}L${p(at(a, outer))}A${outer} ${outer} 0 0 1 ${p(at(b, outer))}L${p(at(b, inner))}A${inner} ${inner} 0 0 0 ${p(at(a, inner))}z`
}

/** A charge is stamped in the middle: one shape, repeated around it. */
export interface Charge {
  fold: number
  draw: (angle: number) => string
}

/** These sixteen charges are distinguishable at 24 pixels. */
export const charges: Charge[] = [
  { fold: 3, draw: (a) => circle(12.5, a, 17.5) },
  { fold: 4, draw: (a) => circle(10.5, a, 19.5) },
  { fold: 5, draw: (a) => leaf(a, 2, 35, 9) },
  { fold: 6, draw: (a) => leaf(a, 0, 35, 6) },
  { fold: 5, draw: (a) => kite(a, -2, 13, 36, 9.5) },
  { fold: 4, draw: (a) => kite(a, -2, 8, 36, 8) },
  { fold: 8, draw: (a) => kite(a, 7, 19, 35, 5) },
  { fold: 4, draw: (a) => heart(a, 7.6) },
  { fold: 2, draw: (a) => half(a, 5, 27) },
  { fold: 4, draw: (a) => chevron(a, 35, 13, 9) },
  { fold: 6, draw: (a) => leaf(a, 4, 33, 5.5, -15) },
  { fold: 3, draw: (a) => leaf(a, 1, 34, 10, 21) },
  { fold: 12, draw: (a) => bar(a, 13, 32, 2.2) },
  { fold: 6, draw: (a) => circle(6.3, a, 26) },
  { fold: 3, draw: (a) => arc(a, 26, 35, 86) + arc(a + 60, 11, 20, 86) },
  { fold: 5, draw: (a) => ring(9.6, 4.8, a, 23) },
]
