import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'

/** The name and picture of a wallet or chat. */
export interface Profile {
  name: string
  picture: string | undefined
}

const long = 10 * 60_000

/** The name and picture of an address. Empty and undefined until they are read. */
export function useProfile(address: string): Profile {
  const { data: names } = useQuery({ ...query('getName', { name: address }), staleTime: long })
  const { data: images } = useQuery({ ...query('getPicture', { addr: address }), staleTime: long })
  const name = names?.find((mapping) => mapping.address === address.toLowerCase())?.name ?? ''
  return { name, picture: images?.[0]?.base64data }
}
