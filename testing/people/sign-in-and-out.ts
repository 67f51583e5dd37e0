import { signInWith } from '@parley/sdk/sign-in.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { hashOf, newLink, openLink, takeLink } from './handing-over.ts'
import { token } from './reading.ts'
import { recordingCalls } from '../cases/recorded.ts'
import { walletBucket } from '../../server/src/values/bucket.ts'
import { clientOf, injectInto, type Service } from '../service/service.ts'
import { openBrowser } from '../service/session-browser.ts'

/** Signs in and out, with and without sessions. Adds the endpoints that it calls. */
export async function signInAndOut(service: Service, called: Set<string>): Promise<void> {
  const { app } = service
  const account = privateKeyToAccount(generatePrivateKey())
  const signMessage = (message: string) => account.signMessage({ message })
  const options = { baseUrl: '', fetch: injectInto(app) }
  await signInWith(options, { address: account.address, signMessage, name: 'Dan' })
  called.add('getNonce').add('signIn')
  const browser = openBrowser(app)
  for (let n = 0; n < 2; n++) await browser.signIn(account)
  // The second is a repetition.
  const cookie = browser.cookie()
  for (let n = 0; n < 2; n++) await browser.renew(account.address, cookie)
  const client = recordingCalls(clientOf(app, { token: browser.token() }), called)
  const [, other] = await client.listSessions({ address: account.address })
  await client.endSession({ address: account.address, session: other!.id })
  const { code, claim } = newLink()
  await client.createHandover({ body: { code_hash: hashOf(code) } })
  const { number } = await openLink(service, { code, claim })
  await openLink(service, { code, claim })
  await client.getHandover({})
  await client.confirmHandover({ body: { number } })
  // The second is a repetition.
  for (let n = 0; n < 2; n++) await takeLink(service, claim)
  await client.cancelHandover()
  called.add('openHandover').add('takeHandover')
  const [made] = await client.createApiKey({
    body: { label: 'a program', scopes: ['dm:send', 'draft:write'] },
  })
  const program = recordingCalls(clientOf(app, { token: made!.key! }), called)
  await program.getApiKey()
  const { address: fromaddr } = account
  await program.sendDirectMessage({ body: { fromaddr, toaddr: fromaddr, message: 'a note' } })
  await program.sendDirectMessage({ body: { fromaddr, toaddr: 'stranger', message: 'gm' } }).catch(() => {})
  const [draft] = await program.createDraft({ body: { toaddr: 'stranger', message: 'a note' } })
  await client.createDraft({ body: { nftaddr: 'town', message: 'a note' } })
  await client.listDrafts()
  await client.deleteDraft({ draft: draft!.id })
  await client.listApiKeys()
  // For wallets that are no bots no table is read.
  await client.becomeBot()
  await client.getBot()
  await client.listBots({ query: { addresses: fromaddr } })
  await client.deleteApiKey({ api_key: made!.id })
  const [hook] = await client.createIncomingHook({ body: { label: 'builds', nftaddr: token.nftaddr } })
  const anyone = recordingCalls(clientOf(app), called)
  const secret = new URL(hook!.url!).pathname.split('/').at(-1)!
  await anyone.postByHook({ secret, body: { text: 'gm' } }, { idempotencyKey: 'hook' })
  await client.listIncomingHooks()
  await client.deleteIncomingHook({ hook: hook!.id })
  await client.signOut()
  called.add('renewSession')
}

/** Makes wallets as if they had signed in first a month ago. */
export const signedInLongAgo = ({ ctx: { db } }: Service, wallets: string[]) =>
  db.query(
    `insert into wallets_seen (wbucket, address, first_ms) select * from unnest($1::integer[], $2::text[], $3::bigint[])`,
    [wallets.map(walletBucket), wallets, wallets.map(() => db.now() - 30 * 86_400_000)],
  )
