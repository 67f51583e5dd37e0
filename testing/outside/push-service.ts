// This is a push service over TLS for tests: it accepts pushes (RFC 8030), decrypts them as the browser would (RFC 8291), checks
// who signed them (RFC 8292), and answers as a test sets.

import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createRequire } from 'node:module'
import { newBrowser } from '../people/push-browser.ts'

const { decrypt } = createRequire(import.meta.url)('http_ece') as {
  decrypt: (body: Buffer, options: object) => Buffer
}

/** A certificate for 127.0.0.1, which only these tests trust, and its key. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBlzCCATygAwIBAgIUPSrRMqZQbAgR+X3kZYcM2ONgcv0wCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMUGFybGV5IHRlc3RzMCAXDTI2MTEyNDExNDEwMFoYDzIxMjYx
MDMxMTE0MTAwWjAXMRUwEwYDVQQDDAxQYXJsZXkgdGVzdHMwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAASodXr5FCiPvwZyHuknwxaFP3vnqb0oogaqMblzRjm+vV1b
i02OO3Ldt0LEyh1KaVC6nqM01is8LWe6WW/iuinUo2QwYjAdBgNVHQ4EFgQUFWNd
ZZNWexPJXwoVouBa51zAxRowHwYDVR0jBBgwFoAUFWNdZZNWexPJXwoVouBa51zA
xRowDwYDVR0RBAgwBocEfwAAATAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMC
A0kAMEYCIQD66YwhiJrk6rfShV6e/71DixQjYPyzwKf/wjf1X64gNwIhAPwXoHVj
D1AfZvAkT3pj0fJQQbSpGjf/eBlQsR+dsvw6
-----END CERTIFICATE-----`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUKuFUrEeq5jaRFBv
Aln+zksvQh1DmkWX7oNnOl055E+hRANCAASodXr5FCiPvwZyHuknwxaFP3vnqb0o
ogaqMblzRjm+vV1bi02OO3Ldt0LEyh1KaVC6nqM01is8LWe6WW/iuinU
-----END PRIVATE KEY-----`

interface Received {
  endpoint: string
  headers: Record<string, string | string[] | undefined>
  /** The content that the browser would read. */
  push: { v: number; kind: string; title: string; body: string; tag: string; url: string; badge: number }
  /** The claims of the signature. */
  claims: { aud: string; exp: number; sub: string }
  /** Bytes as the push service saw them. */
  size: number
}

/** Answers with a status, and with other headers. */
type Answer = (
  received: Received,
  times: number,
) => { status: number; headers?: Record<string, string> } | 'never'

export async function startPushService() {
  setDefaultCACertificates([...getCACertificates('default'), certificate])
  const browsers = new Map<string, ReturnType<typeof newBrowser>>()
  const received: Received[] = []
  let answer: Answer = () => ({ status: 201 })
  const server = createServer({ cert: certificate, key }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const endpoint = request.url!.slice(1)
    const browser = browsers.get(endpoint)
    if (!browser) {
      response.writeHead(410).end()
      return
    }
    const text = decrypt(body, {
      version: 'aes128gcm',
      privateKey: browser.ecdh,
      authSecret: browser.subscription.auth,
    })
    const [, token] = /^vapid t=([^,]+)/.exec(request.headers.authorization ?? '') ?? []
    const got = {
      endpoint,
      headers: request.headers,
      push: JSON.parse(String(text)),
      claims: JSON.parse(String(Buffer.from(token!.split('.')[1]!, 'base64url'))),
      size: body.length,
    }
    received.push(got)
    const given = answer(got, received.filter((one) => one.endpoint === endpoint).length)
    if (given !== 'never') response.writeHead(given.status, given.headers).end('ignored')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    received,
    answerBy: (next: Answer) => void (answer = next),
    /** Returns what a browser gives the service when a person turns notifications on. */
    subscribe(name: string) {
      const browser = newBrowser(`https://${host}/${name}`, name)
      browsers.set(name, browser)
      return browser.subscription
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
