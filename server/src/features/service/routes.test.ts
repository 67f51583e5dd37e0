import { expect, test } from 'vitest'
import { useService } from '../../../../testing/service/service.ts'

const service = useService({ publicUrl: 'https://chat.example.org' })

test('a service without further settings says that it sends no mails and asks no chains', async () => {
  expect(await service.anonymous.getServiceInfo()).toEqual({
    host: 'chat.example.org',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    mail: false,
    push: true,
    chains: [],
    file_bytes: 25 * 2 ** 20,
  })
})

const furnished = useService({
  beside: service,
  smtpUrl: 'smtp://user:secret@mail.example.org',
  rpcUrls: { '8453': 'https://rpc.example.org/secret', '1': 'https://rpc.example.org/secret' },
  walletConnectProjectId: '0123456789abcdef0123456789abcdef',
  messageFormat: 'plain',
})

test('it says what its settings offer, and no address, password or other secret of them', async () => {
  const answer = await furnished.app.inject('/v1/service')
  expect(answer.json()).toMatchObject({
    mail: true,
    chains: [1, 8453],
    walletconnect: '0123456789abcdef0123456789abcdef',
    message_format: 'plain',
  })
  expect(answer.body).not.toContain('secret')
  expect(answer.headers['cache-control']).toBe('public, max-age=60')
})

const large = useService({ beside: service, fileSize: 2 })
const without = useService({ beside: service, fileSize: 0 })

test('it says how large a file may be, and that it takes none', async () => {
  expect(await large.anonymous.getServiceInfo()).toMatchObject({ file_bytes: 2_097_152 })
  expect(await without.anonymous.getServiceInfo()).toMatchObject({ file_bytes: 0 })
})
