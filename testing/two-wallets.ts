import { newWallet, startService } from './service.ts'

/** For tests: a service, and two wallets that are signed in. */
export async function twoWallets(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService(options)
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  const send = async (message: string, more = {}) =>
    (await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message, ...more } }))[0]!
  const answer = async (message: string, more = {}) =>
    (await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice, message, ...more } }))[0]!
  return {
    service,
    alice,
    bob,
    asAlice,
    asBob,
    send,
    answer,
    pair: { fromaddr: alice, toaddr: bob },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

export const texts = (items: { message: string }[]) => items.map(({ message }) => message)
