import { Fragment, memo, type ReactNode } from 'react'
import { linksIn, shortLink } from './links.ts'
import { MarkedText } from './MarkedText.tsx'

interface Props {
  text: string
  /** When true, links are text, with the host to which they lead. */
  linksOff?: boolean
  /** This part of the text mentions the reader, such as @Mira: it stands out. */
  mention?: string | undefined
}

/**
 * Shows text written by others. It is never markup of the page: code between backticks and text between two stars are
 * React elements, with the text as it is. Links open in a new tab, without a referrer. A hidden character is a mark, and
 * ends a link.
 */
export const SafeText = memo(function SafeText({ text, ...props }: Props) {
  return <MarkedText text={text}>{(part) => <Formatted text={part} {...props} />}</MarkedText>
})

function Formatted({ text, linksOff = false, mention }: Props) {
  const parts: ReactNode[] = []
  let end = 0
  for (const { index, 0: whole, 1: block, 2: code } of text.matchAll(codes)) {
    parts.push(<Prose key={end} text={text.slice(end, index)} linksOff={linksOff} mention={mention} />)
    end = index + whole.length
    parts.push(
      <code key={`c${index}`} className={block === undefined ? inline : boxed}>
        {block === undefined ? code : block.replace(/\n$/, '')}
      </code>,
    )
  }
  return [...parts, <Prose key={`t${end}`} text={text.slice(end)} linksOff={linksOff} mention={mention} />]
}

/** Matches a block between three backticks, whose first line may name its language, or code between two in a line. */
const codes = /```(?:[\w+-]{0,20}\n)?([^`]+(?:`{1,2}[^`]+)*)```|`([^`\n]+)`/g
const inline = 'rounded-md bg-current/10 px-1 py-0.5 font-mono text-[0.9em]'
const boxed = 'my-1 block rounded-lg bg-current/10 px-3 py-2 font-mono text-[0.9em]'

/** Shows text without code. */
function Prose({ text, linksOff, mention }: Props) {
  const parts: ReactNode[] = []
  let end = 0
  for (const { at, href } of linksIn(text)) {
    parts.push(<Strong key={end} text={text.slice(end, at)} mention={mention} />)
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
  return [...parts, <Strong key={`t${end}`} text={text.slice(end)} mention={mention} />]
}

/** Text between two stars is strong, and a mention of the reader has the colour of links. */
function Strong({ text, mention }: Props) {
  const parts: ReactNode[] = []
  let end = 0
  for (const { index, 0: whole, 1: inner } of text.matchAll(/\*\*([^*\n]+)\*\*/g)) {
    parts.push(<Mentioning key={end} text={text.slice(end, index)} mention={mention} />)
    parts.push(<strong key={`s${index}`}>{inner}</strong>)
    end = index + whole.length
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
