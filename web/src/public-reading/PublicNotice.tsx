import { Globe } from 'lucide-react'
import { Link } from 'react-router'
import { shortTime } from '../state/time.ts'
import { Banner } from '../ui/Banner.tsx'
import { isStillToBegin, usePublicReading } from './public-reading.ts'

/** Says in a chat that everybody may read it, or will soon, before anybody writes. */
export function PublicNotice({ nftaddr }: { nftaddr: string }) {
  const { data } = usePublicReading(nftaddr)
  if (!data?.since || !data.offered) return null
  return (
    <Banner
      icon={<Globe className="size-4 shrink-0" aria-hidden="true" />}
      action={
        <Link
          className="shrink-0 font-medium underline underline-offset-2"
          to="/settings/privacy#public-name"
        >
          Your name
        </Link>
      }
    >
      {isStillToBegin(data)
        ? `From ${shortTime(data.since)} on, anyone can read what is written here, without signing in.`
        : 'Anyone can read what is written here, without signing in.'}
    </Banner>
  )
}
