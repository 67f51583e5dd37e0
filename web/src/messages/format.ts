import { plainText } from '@parley/sdk/formatting/index.ts'

/** The service writes into the page whether messages are formatted. */
export const isFormatted =
  document.querySelector<HTMLMetaElement>('meta[name=message-format]')?.content !== 'plain'

/** Returns a text for where it has one line. */
export const onOneLine = (text: string): string => (isFormatted ? plainText(text) : text)
