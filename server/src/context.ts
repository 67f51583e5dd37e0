import { fieldRenaming } from '@parley/sdk/contract/encryption.ts'
import type { Logger } from 'pino'
import { layouts } from './cluster/layout.ts'
import { type Database, openDatabase } from './db/open.ts'
import type { Disk } from './db/embedded/reserve.ts'
import type { EmbeddedDatabase } from './db/embedded/start.ts'
import type { Db } from './db/pool.ts'
import type { Standby } from './db/standby.ts'
import type { Config } from './config/settings.ts'
import { type Lifecycle, startLifecycle } from './lib/lifecycle.ts'
import { type Limits, openLimits } from './limits/limits.ts'
import { type ChainNameLimits, openChainNameLimits } from './limits/chain-names.ts'
import { openFileStore } from './files/open.ts'
import type { FileStore } from './files/store.ts'
import { type FirstContacts, openFirstContacts } from './limits/first-contacts.ts'
import { type HookLimits, openHookLimits } from './limits/hooks.ts'
import { openMessageChangeLimits, type MessageChangeLimits } from './limits/message-changes.ts'
import { openPictureLimits, type PictureLimits } from './limits/picture-bytes.ts'
import { openQuotas, type Quotas } from './limits/quotas.ts'
import { type History, keepHistory } from './telemetry/history.ts'
import { createLog } from './telemetry/log.ts'
import { type Mailer, openMailer } from './mail/mailer.ts'
import { type Events, openEvents } from './live/hub.ts'
import { schema } from './jobs/migrate.ts'
import { type ApiKeys, openApiKeys } from './auth/api-keys.ts'
import { type Bots, openBots } from './auth/bots.ts'
import { openOfficials, type Officials } from './auth/officials.ts'
import { type Grants, openGrants } from './auth/grants.ts'
import { type IncomingHooks, openIncomingHooks } from './auth/incoming-hooks.ts'
import { openSignOuts, type SignOuts } from './auth/sign-outs.ts'
import { openStanding, type Standing } from './auth/standing.ts'
import { alone, type Siblings } from './instances/siblings.ts'
import { storedPreviousSecret, storedSecret } from './config/jwt-secret.ts'
import { type ChatRules, openChatRules } from './messages/chat-rules.ts'
import type { ChatGates } from './messages/chat-gates.ts'
import type { Gate } from './messages/gate.ts'
import { openGates } from './messages/open-gates.ts'
import type { RuleReading } from './messages/rule-reading.ts'

/** The context has everything a handler may use. It is built once at start-up, and by each test. */
export interface Context {
  db: Db
  /** The URL of the database, for a connection beside those of `db`. */
  databaseUrl: string
  config: Config & { jwtSecret: string }
  log: Logger
  mailer: Mailer
  /** The gate decides who may read and post in a chat. */
  gate: Gate
  chatGates: ChatGates
  ruleReading: RuleReading
  /** The decisions of the moderators of chats. */
  chatRules: ChatRules
  events: Events
  /** The disk of the embedded database; for another database nothing is known. */
  disk: Disk
  /** The bytes of files of messages and of pictures. */
  fileStore: FileStore
  limits: Limits
  quotas: Quotas
  firstContacts: FirstContacts
  hookLimits: HookLimits
  changeLimits: MessageChangeLimits
  pictureLimits: PictureLimits
  /** Limits the names that chains are asked for. */
  chainNameLimits: ChainNameLimits
  lifecycle: Lifecycle
  /** The other processes of this machine. */
  siblings: Siblings
  /** The counts of this process in the last hour. */
  history: History
  signOuts: SignOuts
  /** The API keys of programs. */
  apiKeys: ApiKeys
  /** The addresses at which programs post. */
  incomingHooks: IncomingHooks
  /** Ends all of these, and everything else that outlives a sign-in. */
  grants: Grants
  /** The wallets that are programs. */
  bots: Bots
  /** The wallets that are the team of the service. */
  officials: Officials
  /** The operators, and the wallets that are muted or banned. */
  standing: Standing
}

interface Foundation {
  db: Db
  standby?: Standby | undefined
  databaseUrl: string
  config: Context['config']
  log: Logger
  disk?: Disk
  siblings?: Siblings
  /** The interval at which the hub of live events polls the log by itself, in milliseconds. */
  tickEvery?: number
  /** The interval at which what other instances change and count is read, in milliseconds; 1 s or 1.5 s when left out. */
  refreshEvery?: number
}

/**
 * Builds what a context holds besides its foundation. Disposing ends its work in the background.
 */
export async function buildContext({
  db,
  standby,
  databaseUrl,
  config,
  log,
  disk = { isShort: false },
  siblings = alone,
  tickEvery,
  refreshEvery,
}: Foundation): Promise<Context & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const mailer = stack.use(await openMailer(config, log))
  const firstContacts = stack.use(openFirstContacts({ db, config, log }))
  const hookLimits = openHookLimits(config)
  const changeLimits = openMessageChangeLimits(config)
  const pictureLimits = openPictureLimits(config)
  const chainNameLimits = openChainNameLimits(config)
  const standing = stack.use(await openStanding(db, log, siblings, refreshEvery))
  const chatRules = stack.use(await openChatRules(db, log, siblings, refreshEvery))
  const gates = { db, config, log, siblings, refreshEvery, bans: chatRules.bans, standing }
  const { gate, chatGates, ruleReading } = stack.use(await openGates(gates))
  const others = [firstContacts, hookLimits, changeLimits, pictureLimits, chainNameLimits, gate].flatMap(
    (of) => of.meters,
  )
  const limits = stack.use(openLimits({ db, standby, config, log, others, refreshEvery }))
  const quotas = stack.use(openQuotas({ db, config, log, refreshEvery }))
  const { toWire } = fieldRenaming(config.encryptionVendor)
  const events = stack.use(
    openEvents({ db, standby, gate, url: databaseUrl, log, toWire, ...(tickEvery && { tickEvery }) }),
  )
  const lifecycle = startLifecycle()
  const history = stack.use(await keepHistory())
  siblings.onQuestion('minutes', history.minutes)
  const signOuts = stack.use(await openSignOuts(db, log, siblings, refreshEvery))
  const apiKeys = openApiKeys(db, log, siblings)
  const incomingHooks = openIncomingHooks(db, log, siblings)
  const grants = openGrants(db, { signOuts, apiKeys, incomingHooks })
  const bots = stack.use(await openBots(db, log, siblings, refreshEvery))
  const officials = stack.use(await openOfficials(db, events.announce, log, siblings, refreshEvery))
  const open = stack.move()
  return {
    db,
    databaseUrl,
    config,
    log,
    disk,
    fileStore: await openFileStore(config),
    mailer,
    gate,
    chatGates,
    ruleReading,
    chatRules,
    events,
    limits,
    quotas,
    firstContacts,
    hookLimits,
    changeLimits,
    pictureLimits,
    chainNameLimits,
    lifecycle,
    siblings,
    history,
    signOuts,
    apiKeys,
    incomingHooks,
    grants,
    bots,
    officials,
    standing,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

interface OpenContext extends Context, AsyncDisposable {
  /** This is the same signal as in Database. */
  moved: AbortSignal
}

/** A supervisor gives the first two to each of its processes; the last is an embedded database that is about to run. */
export type Surroundings = Partial<Pick<Context, 'siblings' | 'disk'>> & {
  database?: Promise<EmbeddedDatabase>
}

/**
 * Opens the context of a running service; waits for its database until the signal. Disposing closes
 * all of it.
 */
export async function openContext(
  config: Config,
  signal?: AbortSignal,
  { database, ...surroundings }: Surroundings = {},
): Promise<OpenContext> {
  const log = createLog(config.logLevel)
  await using stack = new AsyncDisposableStack()
  const toLog = {
    info: (message: string) => log.info(message),
    warn: (message: string) => log.warn(message),
  }
  const { db, standby, url, disk, moved }: Database = stack.use(
    await openDatabase(config, toLog, { schema, layouts }, signal, database),
  )
  const jwtSecret = config.jwtSecret ?? (await storedSecret(config.dataDir))
  const jwtSecretPrevious = config.jwtSecretPrevious ?? (await storedPreviousSecret(config.dataDir))
  const ctx = stack.use(
    await buildContext({
      db,
      standby,
      databaseUrl: url,
      disk,
      log,
      config: { ...config, jwtSecret, jwtSecretPrevious },
      ...surroundings,
    }),
  )
  const open = stack.move()
  return { ...ctx, moved, [Symbol.asyncDispose]: () => open.disposeAsync() }
}
