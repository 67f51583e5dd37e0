import type { service, ServiceInfo } from '@parley/sdk/contract/service.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config/settings.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { mebibyte } from '../../lib/amounts.ts'
import { pushSubject } from '../../values/push-subject.ts'

export const handlers: Handlers<typeof service> = {
  async getServiceInfo({ config }, { http }) {
    http.reply.header('cache-control', 'public, max-age=60')
    return infoOf(config)
  },
}

const infoOf = ({
  publicUrl,
  mediaUrl,
  mailFrom,
  smtpUrl,
  rpcUrls,
  fileSize,
  retentionDays,
  messageFormat,
  officialWords,
  walletConnectProjectId,
  telegramBotToken,
}: Config): ServiceInfo => ({
  host: new URL(publicUrl).host,
  version: packageJson.version,
  mail: smtpUrl !== undefined,
  ...(pushSubject({ publicUrl, mailFrom }) !== undefined && { push: true as const }),
  ...(telegramBotToken !== undefined && { telegram: true as const }),
  chains: Object.keys(rpcUrls).map(Number),
  file_bytes: fileSize * mebibyte,
  ...(mediaUrl !== undefined && { media_url: mediaUrl }),
  ...(retentionDays > 0 && { retention_days: retentionDays }),
  ...(messageFormat === 'plain' && { message_format: 'plain' as const }),
  ...(officialWords.length > 0 && { official_words: officialWords }),
  ...(walletConnectProjectId !== undefined && { walletconnect: walletConnectProjectId }),
})
