const types: Record<string, string> = {
  iVBOR: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGO: 'image/gif',
  UklGR: 'image/webp',
}

/**
 * Returns a data URL for a picture that the service sent as base64. Undefined unless its first bytes are those of a
 * known picture format.
 */
export function pictureUrl(base64: string | undefined): string | undefined {
  if (!base64) return undefined
  const data = base64.replace(/^data:image\/[a-z+.-]+;base64,/, '')
  const type = Object.entries(types).find(([start]) => data.startsWith(start))?.[1]
  const avif = /^AAAA.{4}ZnR5cGF2a/.test(data) ? 'image/avif' : undefined
  const found = type ?? avif
  return found && /^[A-Za-z0-9+/]+=*$/.test(data) ? `data:${found};base64,${data}` : undefined
}
