export type Bytes = Uint8Array<ArrayBuffer>

export const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
export const toBytes = (text: string): Bytes => new TextEncoder().encode(text)

/** Returns base64 for URLs without padding (RFC 4648, section 5). */
export function toBase64(bytes: ArrayBuffer | Uint8Array): string {
  let binary = ''
  for (const byte of new Uint8Array(bytes as ArrayBuffer)) binary += String.fromCodePoint(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Throws for other spellings of the same bytes, so that two texts of the same bytes are equal. */
export function fromBase64(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (char) => char.codePointAt(0)!)
  if (toBase64(bytes) !== text) throw new Error('This is not base64 for URLs without padding')
  return bytes
}

export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))
