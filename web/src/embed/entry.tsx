// The page that other sites show in a frame: one conversation, one chat, or the comments on one NFT. It has no router, no inbox
// and no keys, and the wallet stays in the page of the site.

import { createParley, ParleyProvider } from '@parley/react'
import { createRoot } from 'react-dom/client'
import { Frame } from './Frame.tsx'
import { applyLooks } from './looks.ts'
import { pageOf, readPlace } from './place.ts'
import { meetSite } from './site.ts'

const path = location.pathname.replace(/^\/embed\//, '') + location.search
const place = readPlace(path)
const root = createRoot(document.getElementById('root')!)

if (!place || parent === window)
  root.render(
    <main className="grid h-full place-content-center gap-2 p-6 text-center">
      <h1 className="text-lg font-semibold">Nothing to show here</h1>
      <p>
        {place
          ? 'This page is for other sites, which show it beside their own.'
          : 'The address names nothing.'}{' '}
        <a className="text-accent underline" href={place ? pageOf(place, path) : '/'}>
          Open Parley
        </a>
      </p>
    </main>,
  )
else {
  const { site, looks } = await meetSite()
  applyLooks(looks)
  // Each frame of each site has a session of its own, which may do no more than the frame shows.
  const parley = createParley({
    baseUrl: location.origin,
    remember: `${site.origin} ${path.replace(/\?.*/, '')}`,
  })
  root.render(
    <ParleyProvider parley={parley}>
      <Frame {...{ parley, site, place, path }} />
    </ParleyProvider>,
  )
  site.tell({ tell: 'ready' })
}
