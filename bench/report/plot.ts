export interface Line {
  name: string
  /** `low` and `high` are drawn as a bar through the point: how far it can be trusted. */
  points: { x: number; y: number; low: number; high: number }[]
}

const size = { width: 880, height: 520, left: 70, right: 150, top: 50, bottom: 60 }
const colours = [
  '#0b6e99',
  '#c2410c',
  '#15803d',
  '#7c3aed',
  '#b91c1c',
  '#a16207',
  '#0f766e',
  '#be185d',
  '#475569',
]

/** Returns an SVG of lines over two logarithmic axes, each named at its end. */
export function plot({ title, x, y, lines }: { title: string; x: string; y: string; lines: Line[] }): string {
  const { width, height, left, right, top, bottom } = size
  const all = lines.flatMap(({ points }) => points)
  const [x0, x1] = span(all.map((point) => point.x))
  const [least, most] = span(all.flatMap(({ low, high }) => [low, high]))
  const [y0, y1] = [least * 0.8, most * 1.2]
  const place = (value: number, from: number, to: number) =>
    (Math.log10(value) - Math.log10(from)) / (Math.log10(to) - Math.log10(from) || 1)
  const atX = (value: number) => Math.round(left + place(value, x0, x1) * (width - left - right))
  const atY = (value: number) => Math.round(height - bottom - place(value, y0, y1) * (height - top - bottom))

  const grid = [
    ...decades(y0, y1).map(
      (value) =>
        `<path d="M${left} ${atY(value)}H${width - right}" stroke="#e2e8f0"/>` +
        label(left - 8, atY(value) + 4, short(value), 'end'),
    ),
    ...[...new Set(all.map((point) => point.x))].map(
      (value) =>
        `<path d="M${atX(value)} ${top}V${height - bottom}" stroke="#e2e8f0"/>` +
        label(atX(value), height - bottom + 20, short(value), 'middle'),
    ),
  ]
  const ends = apart(lines.map(({ points }) => atY(points.at(-1)!.y)))
  const drawn = lines.map(({ name, points }, i) => {
    const colour = colours[i % colours.length]!
    const path = points.map((point) => `${atX(point.x)} ${atY(point.y)}`).join('L')
    const dots = points.map(
      ({ x: across, y: up, low, high }) =>
        `<path d="M${atX(across)} ${atY(low)}V${atY(high)}" stroke="${colour}" stroke-opacity="0.35" stroke-width="5"/>` +
        `<circle cx="${atX(across)}" cy="${atY(up)}" r="3" fill="${colour}"/>`,
    )
    const dash = i >= colours.length ? ' stroke-dasharray="5 4"' : ''
    return (
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="1.8"${dash}/>${dots.join('')}` +
      label(width - right + 10, ends[i]! + 4, name, 'start', colour)
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#fff"/>
${label(left, 28, title, 'start', '#0f172a', 15)}
${grid.join('\n')}
${drawn.join('\n')}
${label((left + width - right) / 2, height - 16, x, 'middle')}
<g transform="translate(20 ${(top + height - bottom) / 2}) rotate(-90)">${label(0, 0, y, 'middle')}</g>
</svg>
`
}

const span = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)]

/** Returns 1, 2 and 5 of each power of ten within a span. */
const decades = (from: number, to: number): number[] =>
  Array.from({ length: 19 }, (_, i) => i - 9)
    .flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power))
    .filter((value) => value >= from && value <= to)

const short = (value: number) =>
  Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 }).format(value)

/** Moves labels down until none covers another. */
function apart(places: number[]): number[] {
  const moved = [...places]
  let last = -Infinity
  for (const i of places
    .keys()
    .toArray()
    .toSorted((a, b) => places[a]! - places[b]!))
    last = moved[i] = Math.max(places[i]!, last + 15)
  return moved
}

const label = (x: number, y: number, text: string, anchor: string, fill = '#475569', points = 12) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${fill}" font-size="${points}">${text}</text>`
