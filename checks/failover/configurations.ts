/** The ports of one node: Patroni's, PostgreSQL's own, and the port for standbys. */
export interface NodePorts {
  readonly rest: number;
  readonly postgres: number;
  readonly link: number;
}

/** A node's name, its ports and its folder. */
export interface NodeLocation {
  readonly name: string;
  readonly ports: NodePorts;
  readonly folder: string;
}

/** The service's ways to the primary: the pooler's port, and the balancer's. */
export interface EntryPorts {
  readonly pooler: number;
  readonly balancer: number;
}

/** The unit to which PgBouncer assigns a connection: a transaction, a client, or a statement. */
export type PoolMode = 'transaction' | 'session' | 'statement';

/**
 * A node of Patroni. The times are the shortest that it accepts: the leader's key lasts 20 s, and a
 * standby replaces an ended PostgreSQL at once.
 */
export function patroniYaml(
  { name, ports, folder }: NodeLocation,
  parts: { readonly etcdPort: number; readonly binaries: string },
): string {
  return `
scope: gateway
name: ${name}
restapi: { listen: "127.0.0.1:${ports.rest}", connect_address: "127.0.0.1:${ports.rest}" }
etcd3: { host: "127.0.0.1:${parts.etcdPort}" }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 5
    maximum_lag_on_failover: 104857600
    primary_start_timeout: 0
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 80
        shared_buffers: 64MB
        max_wal_size: 256MB
        min_wal_size: 64MB
        wal_keep_size: 128MB
        synchronous_commit: 'on'
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
        wal_log_hints: 'on'
  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums]
postgresql:
  listen: "127.0.0.1:${ports.postgres}"
  connect_address: "127.0.0.1:${ports.link}"
  data_dir: "${folder}/data"
  bin_dir: "${parts.binaries}"
  pgpass: "${folder}/pgpass"
  remove_data_directory_on_diverged_timelines: true
  remove_data_directory_on_rewind_failure: true
  pg_hba: [local all all trust, host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust]
  authentication:
    superuser: { username: postgres, password: none, sslmode: disable }
    replication: { username: standby, password: none, sslmode: disable }
    rewind: { username: rewind, password: none, sslmode: disable }
  parameters: { unix_socket_directories: "" }
`;
}

/** The balancer: it connects to the node that reports to be the primary, and to no other. */
export function haproxyCfg(port: number, nodes: readonly NodeLocation[]): string {
  const servers = nodes.map(
    ({ name, ports }) =>
      `  server ${name} 127.0.0.1:${ports.postgres} maxconn 100 check port ${ports.rest}`,
  );
  return `
global
  maxconn 500
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms downinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

/** The pooler, in front of the balancer. */
export function pgbouncerIni(
  { pooler, balancer }: EntryPorts,
  mode: PoolMode,
  folder: string,
): string {
  return `
[databases]
gateway = host=127.0.0.1 port=${balancer} dbname=gateway
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooler}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = ${mode}
max_client_conn = 200
default_pool_size = 20
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 4
server_tls_sslmode = disable
`;
}
