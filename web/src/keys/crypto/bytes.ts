export const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
export const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Returns base64 for URLs without padding (RFC 4648, section 5). */
export function toBase64(bytes: ArrayBuffer | Uint8Array): string {
  let binary = ''
  for (const byte of new Uint8Array(bytes as ArrayBuffer)) binary += String.fromCodePoint(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Throws for other spellings of the same bytes, so that two texts of the same bytes are equal. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (char) => char.codePointAt(0)!)
  if (toBase64(bytes) !== text) throw new Error('This is not base64 for URLs without padding')
  return bytes
}

/** Returns a new id of a message. */
export const newCid = (): string => toBase64(randomBytes(16))

export const randomBytes = (length: number): Uint8Array<ArrayBuffer> =>
  crypto.getRandomValues(new Uint8Array(length))
