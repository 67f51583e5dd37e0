// people.csv says which people of an export have which wallets: a column `id`, as the export has it, and a column `wallet`.

import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { canonicalAddress, isAddress } from '../../values/formats.ts'
import { ImportError } from './records.ts'

const mostPeople = 500_000

export async function readPeople(file: string | undefined): Promise<Map<string, string>> {
  const wallets = new Map<string, string>()
  if (file === undefined) return wallets
  const rows = createReadStream(file).pipe(
    parse({ columns: true, trim: true, bom: true, skip_empty_lines: true, max_record_size: 4096 }),
  )
  try {
    for await (const { id = '', wallet = '' } of rows as AsyncIterable<Record<string, string | undefined>>) {
      if (!id || !wallet) throw new ImportError(`${file} needs the columns id and wallet in each line.`)
      if (!isAddress(wallet) || wallet.includes(':'))
        throw new ImportError(`${wallet} in ${file} is not the address of a wallet.`)
      wallets.set(id, canonicalAddress(wallet))
      if (wallets.size > mostPeople) throw new ImportError(`${file} has more than ${mostPeople} people.`)
    }
  } catch (error) {
    throw error instanceof ImportError
      ? error
      : new ImportError(`${file} cannot be read: ${(error as Error).message}`)
  }
  return wallets
}
