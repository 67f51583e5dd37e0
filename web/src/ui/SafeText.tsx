import { Fragment, memo, type ReactNode } from 'react'
import { linksIn } from './links.ts'

interface Props {
  text: string
  /** Shows links as text, with the host to which they lead. */
  linksOff?: boolean
}

/**
 * Text written by others. No part of it is treated as markup; links open in a new tab, without a
 * referrer.
 */
export const SafeText = memo(function SafeText({ text, linksOff = false }: Props) {
  const parts: ReactNode[] = []
  let end = 0
  for (const { at, href } of linksIn(text)) {
    parts.push(<Fragment key={end}>{text.slice(end, at)}</Fragment>)
    end = at + href.length
    parts.push(
      linksOff ? (
        <LinkText key={`a${at}`} href={href} />
      ) : (
        <a
          key={`a${at}`}
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="underline underline-offset-2"
        >
          {href}
        </a>
      ),
    )
  }
  return [...parts, <Fragment key={`t${end}`}>{text.slice(end)}</Fragment>]
})

/** The host stands out. Where the text hides it behind other letters, it is said after it. */
function LinkText({ href }: { href: string }) {
  const { host } = new URL(href)
  const [before, ...after] = href.split(host)
  if (after.length === 0)
    return (
      <>
        {href} <strong>({host})</strong>
      </>
    )
  return (
    <>
      {before}
      <strong>{host}</strong>
      {after.join(host)}
    </>
  )
}
