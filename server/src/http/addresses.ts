import { canonicalAddress, isAddress } from '../values/formats.ts'
import { badRequest } from './validation.ts'

/** Reads the wallets of a query `addresses`, without repetitions; another text, or more of them, is 400. */
export function readAddresses(text: string, most: number): string[] {
  const wallets = text.split(' ')
  if (wallets.length > most || !wallets.every(isAddress))
    throw badRequest([
      {
        pointer: '/query/addresses',
        detail: `must be the addresses of 1 to ${most} wallets, with spaces between them`,
      },
    ])
  return [...new Set(wallets.map(canonicalAddress))]
}
