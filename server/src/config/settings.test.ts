import { expect, test } from 'vitest'
import { isEveryAddress, readConfig } from './settings.ts'

test('an empty environment is enough', () => {
  expect(readConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    dataDir: './data',
    publicUrl: 'http://127.0.0.1:8080',
    allowedDomains: ['127.0.0.1:8080'],
    corsOrigins: '*',
    encryptionVendor: 'x',
  })
  expect(readConfig({ PORT: '' }).port).toBe(8080)
})

test('what is not set follows from what is', () => {
  const config = readConfig({ PUBLIC_URL: 'https://chat.example.org/', ALLOWED_DOMAINS: '' })
  expect(config).toMatchObject({
    publicUrl: 'https://chat.example.org',
    allowedDomains: ['chat.example.org'],
  })
  expect(readConfig({ HOST: '::1', PORT: '9' }).publicUrl).toBe('http://[::1]:9')
})

test.each(['0.0.0.0', '0', '0.0', '0x0', '::', '[::]', '0:0:0:0:0:0:0:0', '::0', '::ffff:0.0.0.0'])(
  'HOST=%s is every address, and this machine opens the service at 127.0.0.1',
  (HOST) => {
    const config = readConfig({ HOST, PORT: '9' })
    expect(config).toMatchObject({ publicUrl: 'http://127.0.0.1:9', allowedDomains: ['127.0.0.1:9'] })
    expect(isEveryAddress(config.host)).toBe(true)
    const own = readConfig({ HOST, PUBLIC_URL: 'https://chat.example.org' })
    expect(own.publicUrl).toBe('https://chat.example.org')
  },
)

test('a HOST that cannot stand in an address asks for PUBLIC_URL', () => {
  expect(String(readError({ HOST: 'fe80::1%eth0' }))).toMatch(/PUBLIC_URL must be set/)
  const PUBLIC_URL = 'https://chat.example.org'
  expect(readConfig({ HOST: 'fe80::1%eth0', PUBLIC_URL }).host).toBe('fe80::1%eth0')
})

test('one error lists every setting that is wrong, and what a right value looks like', () => {
  const bad = {
    PORT: '70000',
    HOST: 'localhost:9000',
    JWT_SECRET: 'short',
    ADMIN_API_KEY: 'with white space but long enough for a key',
    CORS_ORIGINS: 'https://a.example/path',
    TRUSTED_PROXIES: '10.0.0.0/33',
    RPC_URLS: '{"1":"ftp://x"}',
    ENCRYPTION_VENDOR: 'Acme!',
    DATABASE_URL: 'mysql://x',
    SIGNIN_REQUIRE_SIWE: 'yes',
  }
  const message = String(readError(bad))
  for (const name of Object.keys(bad)) expect(message).toMatch(new RegExp(`  ${name} must be .{10,}`))
  expect(message).not.toContain('short')
})

test.each([
  'https://user:pass@chat.example.org',
  'https://user@chat.example.org',
  'https://chat.example.org/chat',
  'https://chat.example.org/?a=b',
  'https://chat.example.org#a',
  'ftp://chat.example.org',
  'chat.example.org',
])('%s is no PUBLIC_URL', (url) => {
  expect(String(readError({ PUBLIC_URL: url }))).toMatch(/PUBLIC_URL must be .*without user, path or query/)
})

test('S3_URL names a bucket, its folders, its region and a key, which no error shows', () => {
  const s3 = (S3_URL: string) => readConfig({ S3_URL }).s3Url
  const secret = 'wJal/K7+MDENG@x'
  const written = encodeURIComponent(secret)
  expect(s3('')).toBeUndefined()
  expect(s3(`https://AKID:${written}@s3.example.org/files`)).toEqual({
    endpoint: 'https://s3.example.org/files',
    region: 'us-east-1',
    accessKeyId: 'AKID',
    secretAccessKey: secret,
    prefix: '',
  })
  expect(s3(`http://AKID:${written}@10.0.0.7:9000/files/chat/one/?region=eu-1`)).toMatchObject({
    endpoint: 'http://10.0.0.7:9000/files',
    region: 'eu-1',
    prefix: 'chat/one/',
  })
  for (const wrong of [
    'https://s3.example.org/files',
    'https://AKID@s3.example.org/files',
    `https://AKID:${written}@s3.example.org/`,
    // The host is AKID here.
    `https://AKID:${secret}@s3.example.org/files`,
    `https://AKID:secret-%zz@s3.example.org/files`,
    `https://AKID:${written}@s3.example.org/files?bucket=x`,
    `https://AKID:${written}@s3.example.org/files/a%20b`,
    `ftp://AKID:${written}@s3.example.org/files`,
    's3://files',
  ]) {
    const error = String(readError({ S3_URL: wrong }))
    expect(error, wrong).toMatch(/S3_URL must be .*%2F/)
    expect(error).not.toMatch(/wJal|secret-/)
  }
})

test('CLAMD_URL has a host and a port', () => {
  const clamd = (CLAMD_URL: string) => readConfig({ CLAMD_URL }).clamdUrl
  expect([clamd('tcp://127.0.0.1:3310'), clamd('tcp://[::1]:3310/'), clamd('')]).toEqual([
    'tcp://127.0.0.1:3310',
    'tcp://[::1]:3310',
    undefined,
  ])
  for (const wrong of [
    '127.0.0.1:3310',
    'tcp://clamd',
    'http://clamd:3310',
    'tcp://clamd:3310/x',
    'tcp://:3310',
  ])
    expect(String(readError({ CLAMD_URL: wrong })), wrong).toMatch(/CLAMD_URL must be .*tcp:/)
})

function readError(env: Record<string, string>): unknown {
  try {
    return readConfig(env)
  } catch (error) {
    return error
  }
}
