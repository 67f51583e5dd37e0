export interface Settings {
  /** The URL of the service, without a slash at the end. */
  baseUrl: string
  key: string
}

/** Reads the settings from the environment. Throws what is wrong with them, without the key. */
export function readSettings({ PARLEY_URL, PARLEY_API_KEY }: Record<string, string | undefined>): Settings {
  if (!PARLEY_URL)
    throw new Error('PARLEY_URL is missing: where the service is, such as https://chat.example.org')
  if (!PARLEY_API_KEY)
    throw new Error('PARLEY_API_KEY is missing: make a key in the settings of the web client')
  const url = URL.canParse(PARLEY_URL) ? new URL(PARLEY_URL) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new Error('PARLEY_URL must be an address such as https://chat.example.org')
  if (!/^prl_[\w-]{43}$/.test(PARLEY_API_KEY))
    throw new Error('PARLEY_API_KEY must be an API key of Parley: prl_ and 43 characters')
  return { baseUrl: url.href.replace(/\/$/, ''), key: PARLEY_API_KEY }
}
