import { partsOf } from '@parley/sdk/formatting/index.ts'
import { linksIn } from '@parley/sdk/links.ts'
import { Fragment, memo, type ReactNode } from 'react'
import { isFormatted } from './format.ts'
import { FormattedParts } from './FormattedParts.tsx'
import { shortLink } from './links.ts'
import { MarkedText } from './MarkedText.tsx'

interface Props {
  text: string
  /** When true, links are text, with the host to which they lead. */
  linksOff?: boolean
  /** This part of the text mentions the reader, such as @Mira: it stands out. */
  mention?: string | undefined
  /** When true, markers such as ** are text. */
  isPlain?: boolean
}

/**
 * Shows text written by others. It is never markup of the page: what is formatted are React elements, with the text as it
 * is. Links open in a new tab, without a referrer. A hidden character is a mark, and ends a link.
 */
export const SafeText = memo(function SafeText({ text, isPlain = !isFormatted, ...props }: Props) {
  const prose = (part: string) => <Prose text={part} {...props} />
  return (
    <MarkedText text={text}>
      {(part) => (isPlain ? prose(part) : <FormattedParts parts={partsOf(part)}>{prose}</FormattedParts>)}
    </MarkedText>
  )
})

/** Shows text without formatting. */
function Prose({ text, linksOff = false, mention }: Props) {
  const parts: ReactNode[] = []
  let end = 0
  for (const { at, href } of linksIn(text)) {
    parts.push(<Mentioning key={end} text={text.slice(end, at)} mention={mention} />)
    end = at + href.length
    parts.push(
      linksOff ? (
        <LinkText key={`a${at}`} href={href} />
      ) : (
        <a
          key={`a${at}`}
          href={href}
          title={href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="underline underline-offset-2"
        >
          {shortLink(href)}
        </a>
      ),
    )
  }
  return [...parts, <Mentioning key={`t${end}`} text={text.slice(end)} mention={mention} />]
}

function Mentioning({ text, mention }: Props) {
  if (!mention) return text
  const [before, ...after] = text.split(mention)
  return [
    before,
    ...after.map((rest, n) => (
      // The parts have no other name than their place.
      // oxlint-disable-next-line react/no-array-index-key
      <Fragment key={n}>
        <strong className="text-accent">{mention}</strong>
        {rest}
      </Fragment>
    )),
  ]
}

/** The host stands out. When the text hides it behind other letters, it follows the text. */
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
