import { type Parley, useSignIn } from '@parley/react'
import { textForSite } from '@parley/sdk'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { shortAddress } from '../seal/address.ts'
import { useOnline } from '../state/online.ts'
import { Chat } from './Chat.tsx'
import { Comments } from './Comments.tsx'
import { Conversation } from './Conversation.tsx'
import { usePeerName } from './name.ts'
import { pageOf, type Place } from './place.ts'
import { scopesOf } from './scopes.ts'
import { onSignOut, signOutElsewhere } from './sign-out.ts'
import { SignIn } from './SignIn.tsx'
import { useTeam } from './official.ts'
import type { Site } from './site.ts'
import { TeamMark } from './TeamMark.tsx'

export interface FrameProps {
  parley: Parley
  site: Site
  place: Place
  /** The path of the frame below `/embed/`. */
  path: string
}

export function Frame(props: FrameProps) {
  const { parley, site, place, path } = props
  const { wallets } = useSyncExternalStore(site.subscribe, site.get)
  const chosen = useRef('')
  const { status, address, error, signIn, signOut } = useSignIn(() => walletOf(site, chosen.current), {
    createMessage: (nonce) =>
      textForSite({
        domain: site.host,
        uri: site.origin,
        scopes: scopesOf(path),
        chainId: chainOf.get(site) ?? 1,
      })(nonce),
  })
  const name = usePeerName(parley, address, place.kind === 'dm' ? place.peer : undefined)
  const isOnline = useOnline()
  const team = useTeam()
  useEffect(() => site.tell({ tell: 'signed', is: address !== undefined }), [site, address])
  useEffect(() => onSignOut(site.origin, () => void signOut()), [site, signOut])
  useEffect(() => {
    const close = ({ key, isComposing }: KeyboardEvent) => {
      if (key === 'Escape' && !isComposing) site.tell({ tell: 'close' })
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [site])
  const openOwn = pageOf(place, path)
  return (
    <div className="flex h-full flex-col">
      <header className="flex min-h-14 items-center gap-2 border-b border-line bg-surface py-1.5 ps-4 pe-14">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2">
            <h1 className="max-w-full truncate font-semibold">{titleOf(place, name)}</h1>
            {place.kind === 'dm' && <TeamMark address={place.peer} {...{ name, team }} />}
          </div>
          {place.kind === 'dm' && place.nft && (
            <p className="truncate text-sm text-muted">About #{place.nft.nftid}</p>
          )}
        </div>
        {address && (
          <button
            type="button"
            className="min-h-11 rounded-xl px-2 text-sm text-accent"
            title={`Signed in as ${address}`}
            onClick={() => {
              void signOut()
              signOutElsewhere(site.origin)
            }}
          >
            Sign out
          </button>
        )}
      </header>
      {!isOnline && (
        <p role="status" className="bg-warn-soft px-4 py-2 text-sm text-warn">
          You’re offline. Messages can’t be sent or received now.
        </p>
      )}
      <main className="flex min-h-0 flex-1 flex-col">
        {address === undefined ? (
          <SignIn
            {...{ place, wallets, error, openOwn, host: site.host, busy: status === 'signing-in' }}
            choose={(wallet) => {
              chosen.current = wallet
              void signIn()
            }}
          />
        ) : place.kind === 'dm' ? (
          <Conversation {...props} {...{ openOwn, me: address, peer: place.peer, nft: place.nft }} />
        ) : place.kind === 'chat' ? (
          <Chat chat={place.chat} me={address} openOwn={openOwn} team={team} />
        ) : (
          <Comments nft={place.nft} me={address} openOwn={openOwn} team={team} />
        )}
      </main>
    </div>
  )
}

const titleOf = (place: Place, name: string): string =>
  place.kind === 'dm'
    ? `Message ${name ? `${name} (${shortAddress(place.peer)})` : shortAddress(place.peer)}`
    : place.kind === 'chat'
      ? shortAddress(place.chat)
      : `Comments on #${place.nft.nftid}`

/** The chain of the account that has been connected last. */
const chainOf = new WeakMap<Site, number>()

/** The wallet of the site's page, which the frame reaches by its questions alone. */
const walletOf = (site: Site, id: string) => ({
  getAddress: async () => {
    const { address, chainId } = await site.connect(id)
    chainOf.set(site, chainId)
    return address
  },
  signMessage: site.sign,
})
