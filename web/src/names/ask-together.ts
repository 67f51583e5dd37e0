// What the service knows of wallets is asked for those together that come into view together.

const moment = () => new Promise((resolve) => setTimeout(resolve, 20))

/** Makes a function that asks about one wallet. Calls at the same moment share a request for at most `most` of them. */
export function askTogether<Answer>(
  most: number,
  read: (addresses: string[]) => Promise<ReadonlyMap<string, Answer>>,
): (address: string) => Promise<Answer | undefined> {
  let waiting: { addresses: Set<string>; answer: Promise<ReadonlyMap<string, Answer>> } | undefined
  return async (address) => {
    if (!waiting || waiting.addresses.size >= most) {
      const addresses = new Set<string>()
      const answer = moment().then(() => {
        if (waiting?.addresses === addresses) waiting = undefined
        return read([...addresses])
      })
      waiting = { addresses, answer }
    }
    waiting.addresses.add(address)
    return (await waiting.answer).get(address)
  }
}
