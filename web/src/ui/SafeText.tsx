import { Fragment, memo } from 'react'

// Only http and https addresses. Punctuation at the end belongs to the sentence, not to the
// address.
const link = /https?:\/\/[^\s<>"'`{}|\\^]+[^\s<>"'`{}|\\^.,:;!?)\]]/gi

/**
 * Text written by others. No part of it is treated as markup; links open in a new tab, without a
 * referrer.
 */
export const SafeText = memo(function SafeText({ text }: { text: string }) {
  const parts: { at: number; text: string; href?: string }[] = []
  let end = 0
  for (const match of text.matchAll(link)) {
    if (!URL.canParse(match[0])) continue
    parts.push({ at: end, text: text.slice(end, match.index) })
    parts.push({ at: match.index, text: match[0], href: match[0] })
    end = match.index + match[0].length
  }
  parts.push({ at: end, text: text.slice(end) })
  return parts.map((part) =>
    part.href ? (
      <a
        key={`a${part.at}`}
        href={part.href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="underline underline-offset-2"
      >
        {part.text}
      </a>
    ) : (
      <Fragment key={part.at}>{part.text}</Fragment>
    ),
  )
})
