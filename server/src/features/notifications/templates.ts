import { type Html, html, trusted } from '../../lib/html.ts'
import type { Mail } from '../../mail/mailer.ts'
import { shortAddress } from '../../values/short-address.ts'
import type { DmNews } from './message-mails.ts'
import type { Push } from './push-content.ts'
import type { Party, Summary, Unread } from './store.ts'

// Subjects are fixed: a name in one would speak for the service.

/** A mail without its recipient and id, which the task adds. */
export type Draft = Omit<Mail, 'to' | 'id'>

/** Writes the mail with the link that confirms an address. */
export function verificationMail(wallet: string, link: string): Draft {
  const ask = `${inertAddress(wallet)} asks to send its Parley notifications to this address.`
  const note = 'The link is valid for 24 hours. If this was not you, ignore this mail.'
  return {
    kind: 'verification',
    subject: 'Confirm your e-mail address',
    link,
    ...body({ lines: [ask], action: { label: 'Confirm address', link }, notes: [note] }),
  }
}

/** Writes the mail about new direct messages: it names one sender, or says how many wrote. */
export function dmMail(home: string, wallet: string, news: DmNews, unsubscribe: string): Draft {
  const { people, messages, sender } = news
  const what = messages === 1 ? 'a message' : `${messages} messages`
  const line =
    people === 1
      ? `${partyOf(sender)} sent you ${what} you have not read yet.`
      : `There are new messages from ${people} people.`
  return {
    kind: 'dm',
    subject: `New message on ${new URL(home).host}`,
    link: home,
    unsubscribe,
    ...body({ lines: [line], action: { label: 'Read', link: home }, notes: [whyOf(wallet)], unsubscribe }),
  }
}

/** Writes the mail about an announcement, which names its chat unless the wallet wants no names. */
export function announcementMail(
  home: string,
  wallet: string,
  { title, url, stop }: Push,
  isNamed: boolean,
): Draft {
  const where = isNamed ? ` in ${inert(title)}` : ''
  const link = `${home}${isNamed ? url : '/'}`
  const note = `You agreed to announcements of this chat as ${inertAddress(wallet)}.`
  return {
    kind: 'announcement',
    subject: `New announcement on ${new URL(home).host}`,
    link,
    unsubscribe: stop!,
    ...body({
      lines: [`There is a new announcement${where}.`],
      action: { label: 'Read', link },
      notes: [note],
      unsubscribe: stop!,
    }),
  }
}

/** Writes the mail about a webhook that was turned off. Its address may hold a secret, so the mail names only the host. */
export function webhookMail(home: string, wallet: string, url: string): Draft {
  const { host } = new URL(url)
  const link = `${home}/settings`
  const line = `The webhook of ${inertAddress(wallet)} at ${host} was turned off: it takes no deliveries.`
  const note =
    'Turn it on again when it does. What waits now is sent then, within 30 days. What comes while it is off is not sent.'
  return {
    kind: 'webhook',
    subject: 'A webhook was turned off',
    link,
    ...body({ lines: [line], action: { label: 'Settings', link }, notes: [note] }),
  }
}

/** Writes the daily mail about everything unread. */
export function dailySummary(home: string, wallet: string, summary: Summary, unsubscribe: string): Draft {
  const { messages, chats } = summary
  return {
    kind: 'daily',
    subject: `Unread messages on ${new URL(home).host}`,
    link: home,
    unsubscribe,
    ...body({
      lines: ['This is waiting for you:'],
      lists: [
        ['Direct messages', messages],
        ['Chats', chats],
      ],
      action: { label: 'Read', link: home },
      notes: [whyOf(wallet)],
      unsubscribe,
    }),
  }
}

const whyOf = (wallet: string) => `You asked for this mail as ${inertAddress(wallet)}.`

/** Returns a short form that no mail program turns into a link, such as 0xd8da…6045. */
export const inertAddress = (address: string) => inert(shortAddress(address))

/**
 * Returns the address first, then the name in quotation marks that are not part of it: a name cannot stand for the service, nor
 * go on in its words. The name of a community is its address.
 */
function partyOf({ name, address, sign }: Party): string {
  if (name === address) return inert(name)
  const words = sign ? ` (${sign})` : ''
  const quoted = inert(name.replace(/["“”„‟«»〝〞＂]/g, ''))
  return `${inertAddress(address)}${quoted && ` “${quoted}”`}${words}`
}

/**
 * Returns a name as one short line that no mail program turns into a link: other people choose it, and all links of a mail must
 * be ours. An invisible joiner (U+2060) follows each character that makes an address; names that end in .eth need none.
 */
function inert(name: string): string {
  const line = name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  const short = line.replace(/^(.{63}).{2,}$/u, '$1…')
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.eth$/u.test(short)
    ? short
    : short.replace(/[.:/@](?=\S)/g, '$&\u2060')
}

interface Content {
  lines: string[]
  lists?: [heading: string, unread: Unread][]
  action: { label: string; link: string }
  notes: string[]
  unsubscribe?: string
}

/** Returns the same content as text and as HTML. */
export const body = (content: Content) => ({ text: textOf(content), html: htmlOf(content).markup })

function textOf({ lines, lists = [], action, notes, unsubscribe }: Content): string {
  const listed = lists.flatMap(([heading, unread]) =>
    unread.conversations === 0 ? [] : [[heading, ...itemsOf(unread).map((item) => `- ${item}`)].join('\n')],
  )
  const stop = unsubscribe === undefined ? [] : [`Stop these mails: ${unsubscribe}`]
  return `${[...lines, ...listed, `${action.label}: ${action.link}`, [...notes, ...stop].join('\n')].join('\n\n')}\n`
}

const itemsOf = ({ top, conversations }: Unread): string[] => [
  ...top.map(({ party, unread }) => `${partyOf(party)}: ${unread}`),
  ...(conversations > top.length ? [`and ${conversations - top.length} more`] : []),
]

// Styles are on the elements, because some mail programs drop the sheet, which only adds the dark
// colours.
const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #151513 !important }
  .card { background: #1f1e1b !important; border-color: #35332e !important }
  .card, .card p, .card li, .card h2 { color: #eeebe4 !important }
  .card .quiet, .card .quiet a { color: #a39e94 !important }
  .card .act { background: #8fd3b6 !important; color: #10261d !important }
}`

const quiet = trusted('class="quiet" style="margin:0 0 4px;font-size:13px;line-height:1.5;color:#66625b"')

const htmlOf = ({ lines, lists = [], action, notes, unsubscribe }: Content): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Parley</title>
        ${trusted(`<style>${sheet}</style>`)}
      </head>
      <body
        class="page"
        style="margin:0;padding:24px 16px;background:#f6f5f2;font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif"
      >
        <div
          class="card"
          style="max-width:440px;margin:0 auto;padding:28px;background:#fff;border:1px solid #e4e1da;border-radius:16px;color:#1c1b19;overflow-wrap:anywhere"
        >
          <p class="quiet" style="margin:0 0 20px;font-size:14px;font-weight:600;color:#66625b">Parley</p>
          ${lines.map((line) => html`<p style="margin:0 0 16px">${line}</p>`)}
          ${lists.map(([heading, unread]) => listOf(heading, unread))}
          <p style="margin:24px 0">
            <a
              class="act"
              href="${action.link}"
              style="display:inline-block;padding:12px 22px;border-radius:10px;background:#1f5f4a;color:#fff;font-weight:600;text-decoration:none"
              >${action.label}</a
            >
          </p>
          ${notes.map((note) => html`<p ${quiet}>${note}</p>`)}
          ${
            unsubscribe === undefined
              ? ''
              : html`<p ${quiet}><a href="${unsubscribe}" style="color:#66625b">Stop these mails</a></p>`
          }
        </div>
      </body>
    </html>`

const listOf = (heading: string, unread: Unread): Html =>
  unread.conversations === 0
    ? trusted('')
    : html`<h2 style="margin:0 0 4px;font-size:14px">${heading}</h2>
        <ul style="margin:0 0 16px;padding-left:20px">
          ${itemsOf(unread).map((item) => html`<li>${item}</li>`)}
        </ul>`
