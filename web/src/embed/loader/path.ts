/** Returns the form in which the service writes an address. */
const canonical = (text: string) => encodeURIComponent(/^0x/i.test(text) ? text.toLowerCase() : text)

/** Returns which frame the attributes of an element ask for: its path below `/embed/`. Undefined where they name nothing. */
export function pathOf(attribute: (name: string) => string | null): string | undefined {
  const [to, chat] = [attribute('to'), attribute('chat')]
  const [token, contract, chain] = (attribute('comments') ?? attribute('nft') ?? '').split(':').toReversed()
  if (to) {
    const about = { nft: contract!, token: token!, ...(chain && { chain }) }
    return `dm/${canonical(to)}${contract ? `?${new URLSearchParams(about)}` : ''}`
  }
  if (chat) return `chat/${canonical(chat)}`
  if (!contract) return undefined
  const place = `${canonical(contract)}/${token}`
  if (attribute('comments')) return `comments/${place}`
  return `owner/${place}${chain ? `?chain=${chain}` : ''}`
}
