import { chmod, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../harness/free-port.ts';
import type { Started } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { type EntryPorts, haproxyCfg, type PoolMode, pgbouncerIni } from './configurations.ts';
import { nobody, startDaemon } from './daemon.ts';
import { type ClusterNode, openNode } from './node.ts';

/** Patroni's report of a node. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Three nodes, one of them the primary, and the addresses of the primary. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[];
  /** The gateway's database through the pooler, and through the balancer only. */
  readonly pooledUrl: string;
  readonly directUrl: string;
  /** The node that reports to be the primary; undefined while none does. */
  primary(): Promise<ClusterNode | undefined>;
  /** Separates a primary from earlier ones, even if the same node was started again. */
  reign(): Promise<string | undefined>;
  /** A standby for which each commit waits. */
  synchronous(): Promise<ClusterNode>;
  /** Waits for a primary and two standbys that follow it; commits wait for one of them. */
  untilWhole(synchronous?: boolean): Promise<ClusterNode>;
  /** Orders the primary to give its role to another node. */
  switchOver(): Promise<void>;
  /** Changes the shared configuration of all nodes. */
  configure(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Starts the pooler in another mode. */
  restartPooler(mode: PoolMode): Promise<void>;
}

const names = ['one', 'two', 'three'] as const;
const wholeMs = 180_000;
const requestMs = 1_000;

/** Starts a cluster below a folder; the scope ends it. */
export async function openCluster(
  scope: Scope,
  parts: { readonly folder: string; readonly binaries: string },
): Promise<Cluster> {
  const { folder, binaries } = parts;
  await chmod(folder, 0o755);
  const etcdPort = await startEtcd(scope, folder);
  const nodes: ClusterNode[] = [];
  for (const name of names) {
    const ports = { rest: await freePort(), postgres: await freePort(), link: await freePort() };
    const node = await openNode(
      { name, ports, folder: join(folder, name) },
      { etcdPort, binaries },
    );
    nodes.push(node);
    scope.add(node.close);
  }
  const entryPorts = { pooler: await freePort(), balancer: await freePort() };
  await startBalancer(scope, { folder, entryPorts, nodes });
  let pooler = await startPooler(folder, entryPorts, 'transaction');
  scope.add(() => pooler.end('SIGKILL'));
  const urlAt = (port: number) => `postgres://gateway@127.0.0.1:${port}/gateway`;
  const cluster: Cluster = {
    ...{ nodes, pooledUrl: urlAt(entryPorts.pooler), directUrl: urlAt(entryPorts.balancer) },
    primary: () => primaryOf(nodes),
    reign: () => reignOf(nodes),
    synchronous: async () => nodeOf(await membersOf(nodes), 'sync_standby'),
    untilWhole: (synchronous = true) => untilWhole(nodes, synchronous),
    async switchOver() {
      const leader = await untilWhole(nodes, true);
      await request(leader, 'POST', '/switchover', { leader: leader.name });
    },
    async configure(settings) {
      const { status, body } = await request(
        await untilWhole(nodes, true),
        'PATCH',
        '/config',
        settings,
      );
      if (status !== 200) throw new Error(`the settings are refused: ${body}`);
    },
    async restartPooler(mode) {
      await pooler.end('SIGTERM');
      pooler = await startPooler(folder, entryPorts, mode);
    },
  };
  await makeDatabase(await cluster.untilWhole());
  return cluster;
}

async function startEtcd(scope: Scope, folder: string): Promise<number> {
  const [clients, peers] = [await freePort(), await freePort()];
  const own = join(folder, 'etcd');
  await writeFile(join(folder, 'users.txt'), '"gateway" ""\n');
  const argv = [
    ...['--data-dir', own, '--listen-client-urls', `http://127.0.0.1:${clients}`],
    ...['--advertise-client-urls', `http://127.0.0.1:${clients}`],
    ...['--listen-peer-urls', `http://127.0.0.1:${peers}`],
    ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peers}`],
    ...['--initial-cluster', `default=http://127.0.0.1:${peers}`],
  ];
  await chown(folder, nobody, nobody);
  const etcd = startDaemon({ file: 'etcd', argv, folder, logFile: `${own}.log` });
  scope.add(() => etcd.end('SIGKILL'));
  return clients;
}

async function startBalancer(
  scope: Scope,
  parts: { folder: string; entryPorts: EntryPorts; nodes: readonly ClusterNode[] },
) {
  const { folder, entryPorts, nodes } = parts;
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, haproxyCfg(entryPorts.balancer, nodes));
  const logFile = join(folder, 'haproxy.log');
  const balancer = startDaemon({ file: 'haproxy', argv: ['-db', '-f', file], folder, logFile });
  scope.add(() => balancer.end('SIGKILL'));
}

async function startPooler(
  folder: string,
  entryPorts: EntryPorts,
  mode: PoolMode,
): Promise<Started> {
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, pgbouncerIni(entryPorts, mode, folder));
  const logFile = join(folder, 'pgbouncer.log');
  return startDaemon({ file: 'pgbouncer', argv: [file], folder, logFile });
}

async function makeDatabase({ ports }: ClusterNode) {
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${ports.postgres}/postgres`);
  await client.connect();
  await client.query('create role gateway login');
  await client.query('create database gateway owner gateway');
  await client.end();
}

async function primaryOf(nodes: readonly ClusterNode[]): Promise<ClusterNode | undefined> {
  const responses = await Promise.all(nodes.map((node) => request(node, 'GET', '/primary')));
  return nodes.find((_, index) => responses[index]?.status === 200);
}

async function reignOf(nodes: readonly ClusterNode[]): Promise<string | undefined> {
  const primary = await primaryOf(nodes);
  if (primary === undefined) return undefined;
  const { status, body } = await request(primary, 'GET', '/patroni');
  if (status !== 200) return undefined;
  const { postmaster_start_time: since }: { postmaster_start_time?: string } = JSON.parse(body);
  return since === undefined ? undefined : `${primary.name} since ${since}`;
}

/** The nodes' shared state, from the first node that responds. */
async function membersOf(nodes: readonly ClusterNode[]) {
  for (const node of nodes) {
    const { status, body } = await request(node, 'GET', '/cluster');
    if (status !== 200) continue;
    const { members }: { members: readonly Member[] } = JSON.parse(body);
    return { nodes, members };
  }
  return { nodes, members: [] };
}

function nodeOf(
  { nodes, members }: { nodes: readonly ClusterNode[]; members: readonly Member[] },
  role: string,
): ClusterNode {
  const member = members.find((one) => one.role === role);
  const node = nodes.find(({ name }) => name === member?.name);
  if (node === undefined) throw new Error(`no node is ${role}`);
  return node;
}

async function untilWhole(nodes: readonly ClusterNode[], synchronous: boolean) {
  const endsMs = performance.now() + wholeMs;
  for (;;) {
    const leader = await primaryOf(nodes);
    const { members } = await membersOf(nodes);
    const following = members.filter(
      ({ role, state }) => role !== 'leader' && ['running', 'streaming'].includes(state),
    );
    const hasSynchronous = members.some(({ role }) => role === 'sync_standby');
    const streams = leader === undefined ? 0 : await streamsOf(leader);
    const isWhole = following.length === 2 && streams === 2 && hasSynchronous === synchronous;
    if (leader !== undefined && isWhole) return leader;
    if (performance.now() > endsMs) {
      throw new Error(`the cluster is not whole: ${JSON.stringify(members)}, ${streams} streams`);
    }
    await sleep(200);
  }
}

/** The number of standbys that receive the primary's writes. */
async function streamsOf({ ports }: ClusterNode): Promise<number> {
  const url = `postgres://postgres@127.0.0.1:${ports.postgres}/postgres`;
  const client = new pg.Client({ connectionString: url, query_timeout: requestMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      "select 1 from pg_stat_replication where state = 'streaming' and application_name <> ''",
    );
    return rows.length;
  } catch {
    // The node has just ended: nobody follows it.
    return 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Calls Patroni of a node; status 0 without a response. */
async function request({ ports }: ClusterNode, method: string, path: string, body?: unknown) {
  try {
    const answer = await fetch(`http://127.0.0.1:${ports.rest}${path}`, {
      method,
      signal: AbortSignal.timeout(method === 'GET' ? requestMs : 30_000),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return { status: 0, body: '' };
  }
}
