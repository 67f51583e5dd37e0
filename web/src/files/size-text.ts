const kibi = 1024

/** Returns a number of bytes as people write it. */
export function sizeText(bytes: number): string {
  if (bytes < kibi) return `${bytes} B`
  if (bytes < kibi ** 2) return `${Math.round(bytes / kibi)} KB`
  const mebi = bytes / kibi ** 2
  return `${mebi < 10 ? Math.round(mebi * 10) / 10 : Math.round(mebi)} MB`
}
