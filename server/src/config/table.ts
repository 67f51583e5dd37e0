// The table has every setting of the service once: its name, its default, what it does, and its parser. The type `Config`, `npm
// start -- --help` and docs/settings.md are made from it. Settings of chains are in chains.ts, of the database in data.ts, limits
// in limits.ts and quotas.ts, and addresses that the service calls in outside.ts.

import { chains } from './chains.ts'
import { data } from './data.ts'
import { limits } from './limits.ts'
import { outside } from './outside.ts'
import * as parse from './parsers.ts'
import { quotas } from './quotas.ts'
import { publicPages } from './public-pages.ts'
import { section, setting } from './setting.ts'

export const settings = {
  ...section('Address', {
    port: setting('PORT=8080', 'port to listen on', parse.whole(0, 65535)),
    host: setting('HOST=127.0.0.1', 'address to listen on; `0.0.0.0` for all', parse.host),
    publicUrl: setting(
      'PUBLIC_URL=',
      'address at which people reach the service, without a path; the texts that wallets sign name its host; `http://HOST:PORT` when empty',
      parse.optional(parse.site),
    ),
    mediaUrl: setting(
      'MEDIA_URL=',
      'another address that leads to this service, such as `https://files.example.org`, from which clients fetch files of messages ([why](files.md#a-host-for-files)); `PUBLIC_URL` when empty',
      parse.optional(parse.site),
    ),
    trustedProxies: setting(
      'TRUSTED_PROXIES=',
      'proxies whose `X-Forwarded-For` counts: IP addresses or networks',
      parse.networks,
    ),
    corsOrigins: setting(
      'CORS_ORIGINS=*',
      'origins that may call from a browser; `*` for all',
      parse.origins,
    ),
  }),
  ...data,
  ...section('Sign-in', {
    jwtSecret: setting(
      'JWT_SECRET=',
      'secret of 32 bytes or more that signs tokens, the same on every instance; generated and stored in `DATA_DIR` when empty',
      parse.optional(parse.secret(32)),
    ),
    jwtSecretPrevious: setting(
      'JWT_SECRET_PREVIOUS=',
      'the secret before `JWT_SECRET`, still accepted ([how to change it](operations.md#secrets))',
      parse.optional(parse.secret(32)),
    ),
    adminApiKey: setting(
      'ADMIN_API_KEY=',
      'key of 32 characters or more for server-side integrations; none when empty',
      parse.optional(parse.key),
    ),
    allowedDomains: setting(
      'ALLOWED_DOMAINS=',
      'domains that sign-in texts may name, by https or as `PUBLIC_URL`, and at which the web client encrypts; the host of `PUBLIC_URL` when empty',
      parse.list,
    ),
    embedOrigins: setting(
      'EMBED_ORIGINS=',
      'origins of other sites that get tokens [for a few things alone](start-site-owner.md#5-show-it-on-your-own-pages), may show a conversation [in a frame](embed.md), and may call from a browser whatever `CORS_ORIGINS` says',
      parse.sites,
    ),
    embedContracts: setting(
      'EMBED_CONTRACTS=',
      'NFT contracts whose owners the service names to pages without a sign-in; all when empty',
      parse.contracts,
    ),
    walletConnectProjectId: setting(
      'WALLETCONNECT_PROJECT_ID=',
      'project id of WalletConnect, to sign in with a wallet on another device ([what its relay sees](people.md#signing-in-with-a-wallet-on-another-device)); off when empty',
      parse.optional(parse.projectId),
    ),
    signinRequireSiwe: setting(
      'SIGNIN_REQUIRE_SIWE=false',
      '`true` to accept only sign-in texts of EIP-4361, and of CAIP-122 for Solana',
      parse.either('true', 'false'),
    ),
  }),
  ...section('Team', {
    officialWords: setting(
      'OFFICIAL_WORDS=',
      'further words that only wallets of [your team](official.md) may have in their names; a first message that has one gets a warning',
      parse.words,
    ),
  }),
  ...chains,
  ...outside,
  ...publicPages,
  ...section('Messages', {
    messageFormat: setting(
      'MESSAGE_FORMAT=markdown',
      '`markdown` where the web client [shows code, links, lists and bold](formatting.md) in messages, `plain` where it shows all as it was typed',
      parse.oneOf('markdown', 'plain'),
    ),
  }),
  ...section('Mails and Telegram', {
    smtpUrl: setting(
      'SMTP_URL=',
      'mail server, such as `smtp://user:password@mail.example.org:587`; mails are only logged when empty',
      parse.optional(parse.url('smtp:', 'smtps:')),
    ),
    mailFrom: setting(
      'MAIL_FROM=',
      'sender of mails, such as `Parley <no-reply@example.org>`; no-reply at the host of `PUBLIC_URL` when empty',
      parse.optional(parse.mailbox),
    ),
    telegramBotToken: setting(
      'TELEGRAM_BOT_TOKEN=',
      'token of a Telegram bot, from BotFather, that can notify people of messages ([how](notifications.md#telegram)); no bot when empty',
      parse.optional(parse.botToken),
    ),
    telegramApiUrl: setting(
      'TELEGRAM_API_URL=https://api.telegram.org',
      'address of the Telegram Bot API, or of a server of your own for it',
      parse.url('http:', 'https:'),
    ),
    production: setting(
      'NODE_ENV=',
      '`production` keeps the links of unsent mails out of the log',
      (value) => value === 'production',
    ),
  }),
  ...limits,
  ...quotas,
  ...section('Connections and shutdown', {
    instances: setting(
      'INSTANCES=auto',
      'processes that serve this port, from 1 to 64; `auto` for [half of the cores](operations.md#all-cores-of-one-machine), at least one',
      parse.autoOr(parse.whole(1, 64)),
    ),
    maxConnections: setting(
      'MAX_CONNECTIONS=20000',
      'connections at once; more are closed',
      parse.whole(1, 10_000_000),
    ),
    connectionShare: setting(
      'MAX_CONNECTIONS_SHARE=5',
      'percent of `MAX_CONNECTIONS`, and at least 16, that one network address may have open; behind `TRUSTED_PROXIES` as many requests at once',
      parse.whole(1, 100),
    ),
    headersTimeout: setting(
      'HEADERS_TIMEOUT=10',
      'seconds in which the headers of a request must arrive',
      parse.whole(1, 3600),
    ),
    requestTimeout: setting(
      'REQUEST_TIMEOUT=60',
      'seconds in which a whole request must arrive',
      parse.whole(1, 3600),
    ),
    drainSeconds: setting(
      'DRAIN_SECONDS=1',
      'after SIGTERM, seconds in which `/readyz` is 503 and requests are still accepted',
      parse.whole(0, 600),
    ),
    shutdownSeconds: setting(
      'SHUTDOWN_SECONDS=8',
      'seconds that requests in progress then have to end',
      parse.whole(0, 600),
    ),
  }),
  ...section('Log and metrics', {
    logLevel: setting(
      'LOG_LEVEL=info',
      '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
      parse.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    ),
    accessLog: setting(
      'ACCESS_LOG=off',
      '`on` logs a line for each request, without addresses and names',
      parse.either('on', 'off'),
    ),
    metricsToken: setting(
      'METRICS_TOKEN=',
      'token of 32 characters or more that a reader of `/metrics` (Prometheus) sends as a bearer token; no metrics when empty',
      parse.optional(parse.key),
    ),
    otlpEndpoint: setting(
      'OTEL_EXPORTER_OTLP_ENDPOINT=',
      'address of an OpenTelemetry collector that takes traces by HTTP, such as `http://127.0.0.1:4318`; no traces when empty',
      parse.optional(parse.url('http:', 'https:')),
    ),
    traceShare: setting(
      'OTEL_TRACES_SAMPLER_ARG=1',
      'share of the requests and jobs that are traced, from 0 to 1',
      parse.share,
    ),
  }),
}
