/** How a wallet presents itself. */
export interface Profile {
  name: string
  picture: string | undefined
}

export function useProfile(_address: string): Profile {
  return { name: '', picture: undefined }
}
