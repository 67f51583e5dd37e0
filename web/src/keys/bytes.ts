export const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
export const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Base64 for URLs without padding (RFC 4648, section 5). */
export function toBase64(bytes: ArrayBuffer | Uint8Array): string {
  let binary = ''
  for (const byte of new Uint8Array(bytes as ArrayBuffer)) binary += String.fromCodePoint(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.codePointAt(0)!)
}

export const randomBytes = (length: number): Uint8Array<ArrayBuffer> =>
  crypto.getRandomValues(new Uint8Array(length))
