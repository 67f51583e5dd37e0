// A file of 25 MiB goes over the disk and over the network without the service: by `cp`, and by nginx where that is installed.

import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../testing/service/ports.ts'
import { connectTo } from '../load/http.ts'
import type { Baseline } from './case.ts'

export const fileBytes = 25 * 2 ** 20
let made: Buffer<ArrayBuffer> | undefined
/** Returns the bytes of the file. */
export const content = () => (made ??= randomBytes(fileBytes))

const run = promisify(execFile)
const nginx = '/usr/sbin/nginx'
const hasNginx = existsSync(nginx)
/** Debian's nginx takes files by PUT. */
const takesFiles =
  hasNginx && execFileSync('sh', ['-c', `${nginx} -V 2>&1`], { encoding: 'utf8' }).includes('http_dav_module')

interface Plain {
  folder: string
  port: number
}

let opened: Promise<Plain> | undefined
/** Opens a folder with the file. When this process has ended, the folder is removed and nginx ends. */
const plain = () => (opened ??= open())

async function open(): Promise<Plain> {
  // Another run removes it when both processes were killed.
  const folder = await mkdtemp(path.join(os.tmpdir(), `parley-bench-${process.pid}-plain-`))
  const port = await freePort()
  await writeFile(path.join(folder, 'file'), content())
  await writeFile(path.join(folder, 'nginx.conf'), settings(folder, port))
  const serve = hasNginx ? `${nginx} -c "$1/nginx.conf" -e stderr & cat; kill $!` : 'cat'
  const script = `trap '' INT TERM; ${serve}; rm -rf "$1"`
  const child = spawn('sh', ['-c', script, 'sh', folder], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.unref()
  if (hasNginx) await listening(port)
  return { folder, port }
}

/** One process serves, as the service does, and sends files in the way that its documentation advises. */
const settings = (folder: string, port: number) => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr crit;
events {}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  client_max_body_size 30m;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 1000000;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    ${takesFiles ? 'dav_methods PUT;' : ''}
  }
}
`

async function listening(port: number): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      return (await connectTo(port, () => {})).close()
    } catch (error) {
      if (tries === 100) throw error
      await sleep(50)
    }
}

const copyBy = (script: string) => async () => {
  const { folder } = await plain()
  return (_db: unknown, n: number) => run('sh', ['-c', script, `${folder}/file`, `${folder}/copy-${n}`])
}

const prepare = plain

/** Copies the file and waits until it is on the disk, as the service does. */
const copySynced: Baseline = {
  name: 'cp and sync',
  prepare,
  work: copyBy('cp "$0" "$1" && sync "$1" && rm "$1"'),
}

/** Copies it into memory, from which the disk gets it later. */
const copy: Baseline = { name: 'cp', prepare, work: copyBy('cp "$0" "$1" && rm "$1"') }

/** Sends requests to nginx; each waits for a connection that is free. `done` follows a response. */
const byNginx = (
  requestOf: (place: Plain, n: number) => Buffer,
  done: (place: Plain, n: number) => Promise<void> = async () => {},
): Baseline => ({
  name: 'nginx',
  prepare,
  async work() {
    const place = await plain()
    const free: Awaited<ReturnType<typeof connectTo>>[] = []
    return async (_db, n) => {
      const connection = free.pop() ?? (await connectTo(place.port, () => {}))
      const status = await new Promise<number>((resolve) =>
        connection.send(requestOf(place, n), (answer) => resolve(answer.status)),
      )
      if (status >= 300) throw new Error(`nginx answered with ${status}`)
      free.push(connection)
      await done(place, n)
    }
  },
})

const host = ({ port }: Plain) => `Host: 127.0.0.1:${port}`

/** Nginx does not wait for the disk. */
const putByNginx = byNginx(
  (place, n) =>
    Buffer.concat([
      Buffer.from(`PUT /put-${n} HTTP/1.1\r\n${host(place)}\r\nContent-Length: ${fileBytes}\r\n\r\n`),
      content(),
    ]),
  ({ folder }, n) => rm(path.join(folder, `put-${n}`)),
)

const getByNginx = byNginx((place) => Buffer.from(`GET /file HTTP/1.1\r\n${host(place)}\r\n\r\n`))

export const uploadsWithout: Baseline[] = [copySynced, copy, ...(takesFiles ? [putByNginx] : [])]
export const downloadsWithout: Baseline[] = [...(hasNginx ? [getByNginx] : []), copy]
