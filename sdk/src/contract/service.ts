import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Made } from './fields.ts'

/** The maximum number of chains that a service may query. */
export const mostChains = 64

/** The offers of a service, which follow from its settings. */
export const ServiceInfo = Type.Object(
  {
    host: Made(300, 'the host of its PUBLIC_URL, which the texts name that wallets sign', [
      'chat.example.org',
    ]),
    version: Made(64, 'the version of the service', ['0.1.0']),
    mail: Type.Boolean({
      description: 'whether it sends mails: false: it stores mail addresses and sends nothing',
      examples: [true],
    }),
    push: Type.Optional(
      Type.Literal(true, { description: 'present where it sends pushes to browsers', examples: [true] }),
    ),
    telegram: Type.Optional(
      Type.Literal(true, { description: 'present where it has a bot of Telegram', examples: [true] }),
    ),
    chains: Type.Array(Type.Integer({ description: 'a chain id', examples: [1] }), {
      maxItems: mostChains,
      description:
        'the chains it can ask: for the owners of NFTs, names, smart wallets and NFT pictures, in order',
      examples: [[1, 8453]],
    }),
    file_bytes: Type.Integer({
      minimum: 0,
      description: 'the maximum size of a file in bytes; 0: this service takes no files',
      examples: [26_214_400],
    }),
    media_url: Type.Optional(
      Made(
        300,
        'where clients fetch files of messages (`GET /v1/files/{file}`), where that is another host',
        ['https://files.example.org'],
      ),
    ),
    retention_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'days after which messages are deleted, where the operator has set that; a chat may delete them earlier',
        examples: [365],
      }),
    ),
    message_format: Type.Optional(
      Type.Literal('plain', {
        description:
          'present where clients show messages as they were typed, without formatting (code, lists, bold)',
        examples: ['plain'],
      }),
    ),
    official_words: Type.Optional(
      Type.Array(Made(64, 'a word', ['treasury']), {
        maxItems: 100,
        description:
          'words that only wallets of the team have in their names, where the operator has set some',
        examples: [['treasury']],
      }),
    ),
    walletconnect: Type.Optional(
      Made(256, 'the project id of WalletConnect, where the operator has set one', [
        '0123456789abcdef0123456789abcdef',
      ]),
    ),
  },
  { $id: 'ServiceInfo', description: 'What a service offers, by its settings' },
)
export type ServiceInfo = Static<typeof ServiceInfo>

export const service = endpoints({
  // Spec gap: the interface has no way to ask what a service offers.
  getServiceInfo: {
    method: 'GET',
    path: '/v1/service',
    summary: 'What this service offers, by its settings',
    description:
      'It changes only when the operator changes the settings, so a client may cache it for a minute.',
    access: 'public',
    limit: 'static',
    response: ServiceInfo,
  },
})
