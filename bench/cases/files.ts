// These cases upload and download files of 25 MiB: what a file may have by default.

import { createHash } from 'node:crypto'
import { createClient, filePartBytes, uploadFile } from '@parley/sdk'
import { person } from '../data/layout.ts'
import { connectTo } from '../load/http.ts'
import { latencyOf, type Sample } from '../load/load.ts'
import type { Access } from '../service/access.ts'
import { type Case, get, inTurn } from './case.ts'
import { content, downloadsWithout, fileBytes, uploadsWithout } from './plain-files.ts'

const connections = 4
const [from, to] = [person(0), person(1)]
/** A wallet has a gibibyte of files at most: so each has one. */
const uploaders = 500
let next = 0

const clientOf = async (access: Access, wallet: string) =>
  createClient({ baseUrl: access.publicUrl, token: await access.token(wallet) })

export const uploading: Case = {
  name: 'upload-25m',
  about: 'files of 25 MiB, in parts of 4 MiB that are on the disk when they are acknowledged',
  connections,
  run,
  baselines: uploadsWithout,
}

async function run(access: Access, seconds: number): Promise<Sample> {
  const times: number[] = []
  const failed: Record<string, number> = {}
  const sha256 = createHash('sha256').update(content()).digest('hex')
  const start = performance.now()
  const loop = async () => {
    const connection = await connectTo(access.port, () => {})
    while (performance.now() - start < seconds * 1000) {
      const wallet = person(2 + (next++ % uploaders))
      const began = performance.now()
      const [file] = await (
        await clientOf(access, wallet)
      ).createFile({ body: { toaddr: to, size: fileBytes, sha256 } })
      for (let offset = 0; offset < fileBytes; offset += filePartBytes) {
        const part = content().subarray(offset, offset + filePartBytes)
        const lines = [
          `PUT /v1/files/${file!.id}?offset=${offset} HTTP/1.1`,
          `Host: 127.0.0.1:${access.port}`,
          `Authorization: Bearer ${await access.token(wallet)}`,
          'Content-Type: application/octet-stream',
          `Content-Length: ${part.length}`,
        ]
        const request = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), part])
        const status = await new Promise<number>((resolve) =>
          connection.send(request, (answer) => resolve(answer.status)),
        )
        if (status >= 300) failed[status] = (failed[status] ?? 0) + 1
      }
      times.push(performance.now() - began)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, loop))
  const lasted = (performance.now() - start) / 1000
  const perSecond = times.length / lasted
  return {
    seconds: lasted,
    latency: latencyOf(times),
    perSecond,
    bytes: fileBytes,
    kinds: {},
    failed,
    extra: { 'MiB a second': (perSecond * fileBytes) / 2 ** 20 },
  }
}

/** The file to read of each service, by its database. */
const uploaded = new Map<string, string>()

export const downloading: Case = {
  name: 'download-25m',
  about: 'a file of 25 MiB, which is in the memory of the machine',
  connections,
  async prepare(access) {
    const client = await clientOf(access, from)
    const { id } = await uploadFile(client, { toaddr: to }, new Blob([content()]))
    uploaded.set(access.databaseUrl, id)
  },
  traffic: (access) => inTurn([get(access, from, `/v1/files/${uploaded.get(access.databaseUrl)}`)]),
  baselines: downloadsWithout,
}
