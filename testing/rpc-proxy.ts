import { createServer } from 'node:http'

export interface RpcCall {
  method: string
  params: unknown[]
}

/** The response in place of the node's: a JSON-RPC error or result, raw text with a status, or `hang`; undefined forwards. */
type Interception =
  | { error: { code: number; message: string } }
  | { result: unknown }
  | { status: number; body: string }
  | 'hang'
  | undefined

/** Starts a proxy between the service and a node. It records calls, and can answer like a node that fails. */
export async function startRpcProxy(target: string) {
  const calls: RpcCall[] = []
  let intercept: (call: RpcCall) => Interception = () => undefined

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const call: RpcCall & { id: number } = JSON.parse(body)
    calls.push({ method: call.method, params: call.params })
    const instead = intercept(call)
    if (instead === 'hang') return
    response.setHeader('content-type', instead && 'status' in instead ? 'text/html' : 'application/json')
    if (instead === undefined) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(target, { method: 'POST', headers, body })
      response.end(await answer.text())
    } else if ('status' in instead) response.writeHead(instead.status).end(instead.body)
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...instead }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy does not listen')

  return {
    url: `http://127.0.0.1:${address.port}`,
    /** The calls since a test emptied this list. */
    calls,
    count: (method: string) => calls.filter((call) => call.method === method).length,
    intercept: (answer: typeof intercept) => {
      intercept = answer
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type RpcProxy = Awaited<ReturnType<typeof startRpcProxy>>
