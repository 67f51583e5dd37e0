// These functions read Server-Sent Events by hand (WHATWG HTML, section 9.2). Tests, drills and the benchmark must see what the
// service sends, not what the SDK makes of it.

/** Returns a function that takes a stream's text piece by piece; each block goes to `onBlock` once it is complete. */
export function blockReader(onBlock: (block: string) => void): (piece: string) => void {
  let text = ''
  return (piece) => {
    text += piece
    // A block ends with an empty line.
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      onBlock(text.slice(0, end))
      text = text.slice(end + 2)
    }
  }
}

/** Reads a response to its end. */
export async function readBlocks(response: Response, onBlock: (block: string) => void): Promise<void> {
  const read = blockReader(onBlock)
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) read(piece)
}

/** Returns the value of a block's field; undefined when it has no such field. */
export const fieldOf = (block: string, name: 'id' | 'data' | 'retry'): string | undefined =>
  new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
