// These functions format amounts as the tools print them.

/** Returns the seconds since an earlier `performance.now()`, with one digit. */
export const secondsSince = (began: number): string => ((performance.now() - began) / 1000).toFixed(1)

export function bytes(count: number): string {
  if (count < 1e6) return `${Math.ceil(count / 1e3)} kB`
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} MB` : `${(count / 1e9).toFixed(1)} GB`
}

export const mebibyte = 2 ** 20

export const mebibytes = (count: number): string => `${(count / mebibyte).toFixed(1)} MiB`
