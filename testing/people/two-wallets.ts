import { newWallet, type Service } from '../service/service.ts'

/** For tests: makes two wallets that are signed in to a service. */
export async function twoWallets(service: Service) {
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
  }
}

export const texts = (items: { message: string }[]) => items.map(({ message }) => message)
