// Says what a page of the service may do: the web client, and the frame that sites of EMBED_ORIGINS show.

import type { FastifyReply } from 'fastify'
import type { PageSettings } from './page-meta.ts'
import { vary } from './precompressed.ts'

/** A page and a wallet on another device meet here, where the operator has chosen to offer that. */
const relay = 'wss://relay.walletconnect.org'

/**
 * The page runs only its own files, connects only to this service and its host for files, and shows pictures, videos and sounds
 * that it has read itself. No site shows it in a frame.
 */
export const policyOfClient = ({ walletConnectProjectId, mediaUrl }: PageSettings): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    // Media elements also play what the service worker answers, at addresses of the page's own host.
    "media-src 'self' blob:",
    "manifest-src 'self'",
    ['connect-src', "'self'", mediaUrl, walletConnectProjectId && relay].filter(Boolean).join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

/** The frame runs only its own files and connects only to this service. The sites show it, and each of their frames around it. */
export const policyOfFrame = ({ embedOrigins }: Pick<PageSettings, 'embedOrigins'>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Wallets give their pictures as data.
    'img-src data:',
    "connect-src 'self'",
    `frame-ancestors ${embedOrigins.join(' ') || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** Returns what sets the headers of a page. It is fetched each time, because an update changes the names of its files. */
export const pageWith = (policy: string, permissions: string) => (reply: FastifyReply) => {
  vary(reply, 'Accept')
  return reply
    .headers({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'permissions-policy': permissions,
      'cache-control': 'no-cache',
    })
    .type('text/html; charset=utf-8')
}
