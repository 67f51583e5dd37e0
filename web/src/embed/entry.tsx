// The page that other sites show in a frame: one conversation, one chat, or the comments on one NFT. It has no router, no inbox
// and no keys, and the wallet stays in the page of the site.

import { createParley, ParleyProvider } from '@parley/react'
import { createRoot } from 'react-dom/client'
import { Frame } from './Frame.tsx'
import { applyLooks } from './looks.ts'
import { findOwner } from './owner.ts'
import { OpenOwn } from './OpenOwn.tsx'
import { pageOf, type Place, readPlace } from './place.ts'
import { nameOf } from './sign-out.ts'
import { meetSite, type Site } from './site.ts'
import './frame.css'

const asked = location.pathname.replace(/^\/embed\//, '') + location.search
const root = createRoot(document.getElementById('root')!)

function say(heading: string, why: string, href: string): void {
  root.render(
    <main className="grid h-full place-content-center gap-2 p-6 text-center">
      <h1 className="text-lg font-semibold">{heading}</h1>
      <p>{why}</p>
      <OpenOwn className="py-2 text-accent underline" href={href}>
        Open Parley
      </OpenOwn>
    </main>,
  )
}

function show(site: Site, place: Place, path: string): void {
  // Each frame of each site has a session of its own, which may do no more than the frame shows.
  const parley = createParley({
    baseUrl: location.origin,
    remember: nameOf(site.origin, path),
  })
  root.render(
    <ParleyProvider parley={parley}>
      <Frame {...{ parley, site, place, path }} />
    </ParleyProvider>,
  )
}

async function start(): Promise<void> {
  const place = readPlace(asked)
  if (!place) return say('Nothing to show here', 'The address names nothing.', '/')
  const own = pageOf(place, asked)
  if (parent === window)
    return say('Nothing to show here', 'This page is for other sites, which show it beside their own.', own)
  const [{ site, looks }, found] = await Promise.all([
    meetSite(),
    place.kind === 'owner' ? findOwner(place) : { path: asked },
  ])
  applyLooks(looks)
  const shown = 'path' in found && readPlace(found.path)
  if ('why' in found) say('You can’t write to the owner', found.why, own)
  else if (shown && shown.kind !== 'owner') show(site, shown, found.path)
  site.tell({ tell: 'ready' })
}

await start()
