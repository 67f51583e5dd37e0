// A Ledger signs no bare text: it puts a text in an envelope, whose first byte no transaction has, and signs that. The
// specification of off-chain messages of Solana has two versions, and the first one was shorter before it had a preamble. Only
// the text is sent here, so each envelope in which a wallet puts it for one signer is made again. That of another signer, of
// several, or for another application than none is not among them.

const domain = Buffer.from('\xffsolana offchain', 'latin1')
/** The application of a wallet that names none. */
const noApplication = Buffer.alloc(32)
/** A text is of ASCII, of UTF-8 that a Ledger shows, or longer. Wallets do not agree on which of these a line break makes it. */
const formats = [0, 1, 2]
const longest = 0xffff

/** Returns the bytes that a wallet may have signed for a text: the text itself, and its envelopes. */
export function envelopesOf(text: string, key: Uint8Array): Uint8Array[] {
  const content = Buffer.from(text)
  const second = Buffer.concat([domain, Buffer.of(1, 1), key, content])
  if (content.length > longest) return [content, second]
  const length = Buffer.of(content.length & 0xff, content.length >> 8)
  const first = formats.flatMap((format) => [
    Buffer.concat([domain, Buffer.of(0), noApplication, Buffer.of(format, 1), key, length, content]),
    Buffer.concat([domain, Buffer.of(0, format), length, content]),
  ])
  return [content, ...first, second]
}
