import { accountOf, canonicalAddress } from './accounts.ts'
import { normalForm } from './normal-form.ts'

/** These limit how much of a text is read, in UTF-16 code units, and how many mentions count. */
const longest = 4096
const most = 20
/** The maximum number of words in a name. */
const words = 4

const at = /(?<![\p{L}\p{N}_.@])@(?=\S)/gu
const address = /^[0-9a-z]{32,44}(?![0-9a-z])/i

/**
 * Returns what a text may mention: after each `@` that begins a word an address in its canonical form, or a possible name: the next
 * word, and the next two to four. All names are in NFC and lower case, without the punctuation behind them. Mail addresses
 * mention nobody. Only the first 4,096 code units of a text count, and 20 mentions.
 */
export function mentionsIn(text: string): { addresses: string[]; names: string[] } {
  const [addresses, names] = [new Set<string>(), new Set<string>()]
  const shown = normalForm(text.slice(0, longest), 'NFC')
  let count = 0
  for (const { index } of shown.matchAll(at)) {
    if (++count > most) break
    const rest = shown.slice(index + 1, index + 300)
    const [found] = address.exec(rest) ?? []
    if (found && accountOf(found)) addresses.add(canonicalAddress(found))
    else for (const name of namesAt(rest)) names.add(name)
  }
  return { addresses: [...addresses], names: [...names] }
}

function namesAt(rest: string): string[] {
  const [line = ''] = rest.split('\n', 1)
  const parts = line.split(' ', words)
  return parts.flatMap((_, index) => {
    const name = normalForm(
      parts
        .slice(0, index + 1)
        .join(' ')
        .toLowerCase(),
      'NFC',
    )
    const plain = name.replace(/[\p{P}\s]+$/u, '')
    return [name, plain].filter((one) => one !== '' && one.length <= 130)
  })
}

/** Returns true when a text mentions a wallet, by its address or its name. */
export function mentions(text: string, wallet: { address: string; name?: string | undefined }): boolean {
  const { addresses, names } = mentionsIn(text)
  const name = wallet.name && normalForm(normalForm(wallet.name, 'NFC').toLowerCase(), 'NFC')
  return addresses.includes(canonicalAddress(wallet.address)) || (!!name && names.includes(name))
}
