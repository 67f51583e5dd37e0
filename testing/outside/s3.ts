// This is an S3-compatible service for tests, on loopback: one bucket in memory. It checks the signature of each request by AWS
// Signature Version 4 itself (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html), and fails where a
// test wants that.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Access } from '../../server/src/values/s3-access.ts'
import { freePort } from '../service/ports.ts'

const access = {
  region: 'eu-test-1',
  accessKeyId: 'AKIDEXAMPLE',
  // The secrets of AWS have such characters.
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  prefix: 'parley/',
}

/**
 * What happens to a request. A number is the status of its answer. Its connection breaks off before anything is done ("breaks off"),
 * after that ("is lost"), before that ("is late"), or in the middle of the body of an upload or of an answer ("is cut"). It gets its
 * answer some seconds after it was done ("is slow"), or never ("hangs").
 */
export type S3Fault =
  | number
  | 'breaks off'
  | 'is lost'
  | 'is late'
  | 'is cut'
  | 'is slow'
  | 'hangs'
  | undefined
type Rule = (method: string, key: string, times: number) => S3Fault

interface Stored {
  bytes: Buffer
  at: number
}

interface Call {
  method: string
  key: string
  url: URL
}

/** By then the service has deleted what it could not store. */
const lateness = 500
/** The clients of drills wait for less than this. */
const slowness = 6_000

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

export async function startS3() {
  const objects = new Map<string, Stored>()
  const calls: string[] = []
  let rule: Rule = () => undefined
  const port = await freePort()
  const bucket = '/the-bucket/'

  const server = createServer((request, response) => {
    response.on('error', () => {})
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, `http://127.0.0.1:${port}`)
    const method = request.method!
    const key = decodeURIComponent(url.pathname).slice(bucket.length)
    calls.push(`${method} ${key}`)
    const fault = rule(method, key, calls.filter((call) => call === `${method} ${key}`).length)
    if (fault === 'breaks off') return void response.destroy()
    if (fault === 'hangs') return
    // A busy service refuses before it has read the body.
    if (typeof fault === 'number') return refuse(response, fault, 'SlowDown')
    if (fault === 'is cut' && method === 'PUT') return breakOffHalfway(request, response)
    const body = await buffer(request)
    const wrong = refusalOf(request, body)
    if (wrong) return refuse(response, 403, wrong)
    if (!url.pathname.startsWith(bucket)) return refuse(response, 404, 'NoSuchBucket')
    const call = { method, key, url }
    if (fault === 'is lost' || fault === 'is late') {
      const change = () => changeObjects(objects, call, body)
      if (fault === 'is late') setTimeout(change, lateness)
      else change()
      return void response.destroy()
    }
    changeObjects(objects, call, body)
    if (fault === 'is slow') await sleep(slowness)
    answer(call, request, response, fault === 'is cut')
  }

  function answer(
    { method, key, url }: Call,
    request: IncomingMessage,
    response: ServerResponse,
    isCut: boolean,
  ) {
    const found = objects.get(key)
    if (method === 'PUT') response.writeHead(200, { etag: '"0"' }).end()
    else if (method === 'DELETE') response.writeHead(204).end()
    else if (url.searchParams.get('list-type') === '2') {
      response.writeHead(200, { 'content-type': 'application/xml' }).end(listing(objects, url.searchParams))
    } else if (!found) refuse(response, 404, 'NoSuchKey')
    else send(request, response, found.bytes, isCut)
  }

  const listen = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  async function leave(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  await listen()
  return {
    access: { ...access, endpoint: `http://127.0.0.1:${port}/the-bucket` } satisfies S3Access,
    /** This is the value of S3_URL. */
    url: `http://${access.accessKeyId}:${encodeURIComponent(access.secretAccessKey)}@127.0.0.1:${port}/the-bucket/parley?region=${access.region}`,
    objects,
    /** The method and the key of each request. */
    calls,
    setRule: (next: Rule) => (rule = next),
    /** Breaks all connections off, and refuses new ones until it listens again. */
    leave,
    listen,
    [Symbol.asyncDispose]: leave,
  }
}

function changeObjects(objects: Map<string, Stored>, { method, key }: Call, bytes: Buffer): void {
  if (method === 'PUT') objects.set(key, { bytes, at: Date.now() })
  if (method === 'DELETE') objects.delete(key)
}

/** Reads half of the body of a request. */
async function breakOffHalfway(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const half = Number(request.headers['content-length']) / 2
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) if ((length += chunk.length) >= half) break
  response.destroy()
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const isEmpty = status === 304
  response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' })
  response.end(
    isEmpty ? undefined : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
  )
}

/** Sends an object, or a range of it. */
function send({ headers, method }: IncomingMessage, response: ServerResponse, bytes: Buffer, isCut: boolean) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  const from = Number(first ?? 0)
  const to = last ? Math.min(Number(last) + 1, bytes.length) : bytes.length
  if (from >= to) return refuse(response, 416, 'InvalidRange')
  response.writeHead(first === undefined ? 200 : 206, { 'content-length': to - from })
  if (method === 'HEAD') return void response.end()
  if (!isCut) return void response.end(bytes.subarray(from, to))
  response.write(bytes.subarray(from, from + Math.ceil((to - from) / 2)), () =>
    setTimeout(() => response.destroy(), 20),
  )
}

/** Pages are short, so that tests have several. */
const perPage = 3

function listing(objects: Map<string, Stored>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
  const page = keys.slice(0, Math.min(perPage, Number(query.get('max-keys') ?? 1000)))
  const entries = page.map((key) => {
    const { at, bytes } = objects.get(key)!
    return `<Contents><Key>${key}</Key><LastModified>${new Date(at).toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const isMore = keys.length > page.length
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isMore}</IsTruncated>${
    isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  }${entries.join('')}</ListBucketResult>`
}

/** Returns why the signature of a request is refused; undefined for a right one. */
function refusalOf({ method, url, headers }: IncomingMessage, body: Buffer): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
  const [, keyId, day, region, signed, signature] = form.exec(headers.authorization ?? '') ?? []
  if (!keyId) return 'AccessDenied'
  if (keyId !== access.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== access.region) return 'AuthorizationHeaderMalformed'
  const at = String(headers['x-amz-date'])
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - time) < 900_000) || !at.startsWith(day!)) return 'RequestTimeTooSkewed'
  const names = signed!.split(';')
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (!needed.every((name) => names.includes(name)) || names.join() !== names.toSorted().join())
    return 'AccessDenied'
  const payload = String(headers['x-amz-content-sha256'])
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const [path, query = ''] = url!.split('?')
  const canonical = [
    method,
    path,
    query.split('&').toSorted().join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')
  const steps: string[] = scope.split('/')
  const key = steps.reduce<string | Buffer>(hmac, `AWS4${access.secretAccessKey}`)
  return timingSafeEqual(hmac(key, text), Buffer.from(signature!, 'hex'))
    ? undefined
    : 'SignatureDoesNotMatch'
}
