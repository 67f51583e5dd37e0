// A browser that opens the link of a hand-over, as far as the service knows it.

import { createHash, randomBytes } from 'node:crypto'
import type { OpenedHandover } from '@parley/sdk/contract/handovers.ts'
import type { Service } from '../service/service.ts'

const secret = () => randomBytes(16).toString('base64url')

/** Returns the code of a link, and the secret of a browser that opens it. */
export const newLink = () => ({ code: secret(), claim: secret() })
export const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url')

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

export const ofOwnPage = { 'sec-fetch-site': 'same-origin', 'user-agent': safari }

const post =
  (path: string) =>
  ({ app }: Service, payload: object, headers: Record<string, string> = ofOwnPage) =>
    app.inject({ method: 'POST', url: path, headers, payload })

export const tryOpening = post('/v1/handovers/open')
export const takeLink = (on: Service, claim: string, headers?: Record<string, string>) =>
  post('/v1/handovers/take')(on, { claim, wait: 0 }, headers)

export async function openLink(on: Service, link: { code: string; claim: string }): Promise<OpenedHandover> {
  const answer = await tryOpening(on, link)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json<OpenedHandover>()
}
