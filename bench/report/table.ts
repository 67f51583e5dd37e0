// These are tables in Markdown, aligned, so that they are easy to read in a terminal and in the docs.

/** Returns a number with as many digits as are significant; – when there is none. */
export function number(value: number, digits = value < 10 ? 2 : value < 100 ? 1 : 0): string {
  if (!Number.isFinite(value)) return '–'
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Returns rows of cells below a head, the first column to the left, the others to the right. */
export function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const widths = head.map((title, i) => Math.max(title.length, 3, ...rows.map((row) => row[i]!.length)))
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}
