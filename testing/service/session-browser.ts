import { signInWith } from '@parley/sdk/sign-in.ts'
import type { FastifyInstance } from 'fastify'
import type { PrivateKeyAccount } from 'viem'
import { injectInto } from './service.ts'

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const ownPage = { 'sec-fetch-site': 'same-origin' }

/**
 * Opens a browser at a page of the service, as far as sessions need one: it stores the last cookie it received, whose path the
 * caller must check. `headers` say where its page is; at the service when left out.
 */
export function openBrowser(app: FastifyInstance, headers: Record<string, string> = ownPage) {
  let cookie = ''
  let token = ''
  const own = { 'user-agent': userAgent, ...headers }
  const inject = injectInto(app)

  return {
    /** Returns the cookie as a browser sends it: name and value. */
    cookie: () => cookie,
    token: () => token,

    /** Signs a wallet in with a session. Returns the whole `Set-Cookie`. */
    async signIn({ address, signMessage }: PrivateKeyAccount): Promise<string> {
      let sent = ''
      const withHeaders: typeof fetch = async (url, init) => {
        const answer = await inject(url, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init?.headers)), ...own },
        })
        sent = answer.headers.get('set-cookie') ?? sent
        return answer
      }
      const options = { baseUrl: '', fetch: withHeaders, retry: false } as const
      const sign = (message: string) => signMessage({ message })
      ;({ token } = await signInWith(options, { address, signMessage: sign, session: true }))
      cookie = sent.split(';')[0]!
      return sent
    },

    /** Renews with the cookie it has, or another one. Stores what it receives, token and cookie. */
    async renew(address: string, presented = cookie, more: Record<string, string> = {}) {
      const answer = await app.inject({
        method: 'POST',
        url: `/v1/session/${address}`,
        headers: { ...own, cookie: presented, ...more },
      })
      if (answer.statusCode === 200) {
        cookie = String(answer.headers['set-cookie']).split(';')[0]!
        token = String(answer.headers['authorization']).replace('Bearer ', '')
      }
      return answer
    },
  }
}
