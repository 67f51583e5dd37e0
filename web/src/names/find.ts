import { ApiError } from '@parley/sdk'
import { queryOptions } from '@tanstack/react-query'
import { cache, client } from '../service/api.ts'
import { isEvmAddress } from '../seal/address.ts'
import { askInstead, spellEns } from './ens-spelling.ts'
import { readTyped } from './typed-text.ts'

/**
 * This is the wallet that somebody means, or another page; else it says why there is none and what to do. `instead` is a
 * name of ENS that looks different from what was typed: it is looked up when they confirm it.
 */
type Found = { address: string } | { path: string } | { problem: string; instead?: string }

/**
 * Finds the wallet behind what somebody has typed or pasted. Ethereum addresses are checked and returned in lower case.
 */
async function findWallet(text: string): Promise<Found> {
  const typed = readTyped(text, location.origin)
  if ('name' in typed) return findByName(typed.name)
  if (!('address' in typed) || !isEvmAddress(typed.address)) return typed
  return (await hasRightChecksum(typed.address))
    ? { address: typed.address.toLowerCase() }
    : {
        problem: 'This address has a typo (its checksum doesn’t match). Copy it again.',
      }
}

/** Returns that as a cached read. */
export const foundWallet = (text: string) =>
  queryOptions({
    queryKey: ['findWallet', text],
    queryFn: () => findWallet(text),
    staleTime: 60_000,
    retry: false,
  })

/** Returns the address of the wallet behind a text; throws what is wrong with the text, in words. */
export async function readWallet(text: string): Promise<string> {
  const found = await cache.fetchQuery(foundWallet(text))
  if ('address' in found) return found.address
  throw new Error('problem' in found ? found.problem : 'That’s a chat, not a person.')
}

/** An address in one case has no checksum (EIP-55). */
async function hasRightChecksum(address: string): Promise<boolean> {
  const digits = address.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true
  const { isAddress } = await import('./checksum.ts')
  return isAddress(address)
}

async function findByName(typed: string): Promise<Found> {
  const spelling = /\.eth$/i.test(typed) ? await spellEns(typed) : { name: typed }
  if ('problem' in spelling) return spelling
  if ('instead' in spelling) return { ...spelling, problem: askInstead(spelling.instead) }
  const { name } = spelling
  try {
    const { address } = await client.resolveName({ name })
    return { address }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    return {
      problem: /\.eth$/i.test(name)
        ? error.message
        : `Nobody here is called “${name}”. Check the spelling, or paste an address (0x…).`,
    }
  }
}
