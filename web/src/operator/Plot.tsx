interface Props {
  title: string
  /** This is the unit of the numbers, such as ms. */
  unit: string
  lines: { name: string; values: number[]; tone: 'accent' | 'danger' | 'warn' }[]
  format?: (value: number) => string
}

const plain = (value: number) => value.toLocaleString()
const strokes = { accent: 'stroke-accent', danger: 'stroke-danger', warn: 'stroke-warn' }
const dots = { accent: 'bg-accent', danger: 'bg-danger', warn: 'bg-warn' }
const [width, height] = [300, 72]
const minutes = 60

/**
 * Shows the last hour as lines, the newest minute on the right. A screen reader reads the last and the greatest value.
 */
export function Plot({ title, unit, lines, format = plain }: Props) {
  const most = Math.max(0, ...lines.flatMap(({ values }) => values))
  const words = lines.map(
    ({ name, values }) =>
      `${name}: now ${format(values.at(-1) ?? 0)} ${unit}, at most ${format(Math.max(0, ...values))} ${unit}`,
  )
  return (
    <figure className="grid content-start gap-1.5">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="font-medium">{title}</span>
        <span className="text-sm text-muted tabular-nums">
          up to {format(most)} {unit}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={words.join('; ')}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-18 w-full rounded-lg bg-sunken"
      >
        {lines.map(({ name, values, tone }) => (
          <polyline
            key={name}
            points={pointsOf(values, most)}
            className={strokes[tone]}
            fill="none"
            strokeWidth="1.75"
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <ul className="flex flex-wrap gap-x-4 text-sm text-muted" aria-hidden="true">
        {lines.map(({ name, values, tone }) => (
          <li key={name} className="inline-flex items-center gap-1.5">
            <span className={`size-2 rounded-full forced-colors:border ${dots[tone]}`} />
            {name} <span className="text-ink tabular-nums">{format(values.at(-1) ?? 0)}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

function pointsOf(values: number[], most: number): string {
  const step = width / (minutes - 1)
  const at = (value: number) => height - 3 - (most === 0 ? 0 : (value / most) * (height - 6))
  // A single minute is a short line.
  const shown = values.length === 1 ? [values[0]!, values[0]!] : values
  return shown.map((value, i) => `${width - (shown.length - 1 - i) * step},${at(value).toFixed(1)}`).join(' ')
}
