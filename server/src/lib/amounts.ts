// Amounts as the tools print them.

/** `now` of an earlier moment to seconds with one digit. */
export const secondsSince = (began: number): string => ((performance.now() - began) / 1000).toFixed(1)

export function bytes(count: number): string {
  if (count < 1e6) return `${Math.ceil(count / 1e3)} kB`
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} MB` : `${(count / 1e9).toFixed(1)} GB`
}
