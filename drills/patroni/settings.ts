// These are the settings of a node and of HAProxy.

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

interface NodeSettings {
  name: string
  home: string
  port: number
  restPort: number
  etcd: string
}

export type EtcdApi = 'etcd' | 'etcd3'

/**
 * Returns the API by which Patroni speaks with etcd. With etcd3, versions up to 3.0.2 write the lock of the leader without a
 * comparison: a primary whose PostgreSQL stood still takes the lock back from its successor, and what that one has stored is
 * lost.
 */
export async function findEtcdApi(patroni: string): Promise<EtcdApi> {
  const { stdout } = await promisify(execFile)(patroni, ['--version'])
  const [major = 0, minor = 0, patch = 0] = (/[\d.]+/.exec(stdout)?.[0] ?? '').split('.').map(Number)
  return major * 1e6 + minor * 1e3 + patch < 3_000_003 ? 'etcd' : 'etcd3'
}

/** Returns the settings that docs/operations.md recommends, with shorter times. */
export const patroniSettings = (
  { name, home, port, restPort, etcd }: NodeSettings,
  programs: string,
  etcdApi: EtcdApi,
) => ({
  scope: 'parley',
  name,
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  // Otherwise it requests etcd's own address from etcd, and goes round the proxy.
  [etcdApi]: { hosts: etcd, use_proxies: true },
  bootstrap: {
    dcs: {
      ttl: 10,
      loop_wait: 2,
      retry_timeout: 3,
      synchronous_mode: true,
      postgresql: {
        use_pg_rewind: true,
        parameters: { max_connections: 120, wal_keep_size: '512MB', wal_log_hints: 'on' },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: path.join(home, 'data'),
    bin_dir: programs,
    // Otherwise a standby's first copy waits for a checkpoint that takes its time: up to minutes.
    basebackup: [{ checkpoint: 'fast' }],
    pgpass: path.join(home, 'pgpass'),
    authentication: { superuser: { username: 'parley' }, replication: { username: 'replicator' } },
    parameters: { unix_socket_directories: home, shared_buffers: '64MB' },
  },
})

export const haproxySettings = (
  port: number,
  nodes: { name: string; port: number; restPort: number }[],
): string => `
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`).join('\n')}
`
