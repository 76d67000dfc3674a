import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withScope } from '../harness/scope.ts';
import { startServer } from '../harness/server.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { scriptPath } from './processes/script-path.ts';
import { gatewayOnSqlite } from './sides/gateway.ts';

// Measures the memory of idle connections: each has sent one request, with a key, and is kept for
// the next call. Clients keep as many as they once needed, so there are more connections than
// calls.

const { values } = parseArgs({ options: { connections: { type: 'string', default: '10000' } } });
const connectionCount = Number(values.connections);
/** The limit: MB more than before the connections. */
const aimMegabytes = 150;
/** The number of simultaneous requests: the memory of the requests themselves must not count. */
const wave = 100;
const limitMs = 300_000;
/** Longer than a young generation of the heap lasts in an idle process. */
const restMs = 5_000;

process.exitCode = await withScope(limitMs, async (scope) => {
  const folder = makeDataFolder(scope);
  const upstream = await startServer(scope, { argv: [scriptPath('upstream.ts')] });
  const running = await gatewayOnSqlite.start(scope, { upstreamUrl: upstream.url, folder });
  const { pid } = running;
  if (pid === undefined) throw new Error('the gateway has a process');
  const { url, headers, body } = running.target('hello');
  const request = requestText(new URL(url), headers, body);
  const { hostname, port } = new URL(url);
  const opened: Socket[] = [];
  scope.add(async () => {
    for (const socket of opened) socket.destroy();
  });
  const callOnce = async () => {
    const socket = connect(Number(port), hostname);
    opened.push(socket);
    await sendRequest(socket, request);
  };

  // Calls on connections that end compile the code and grow the heap to its limit.
  for (let warmed = 0; warmed < connectionCount; warmed += wave) {
    await Promise.all(Array.from({ length: wave }, callOnce));
    for (const socket of opened.splice(0)) socket.destroy();
  }
  await sleep(restMs);
  const before = residentBytes(pid);
  for (let opened = 0; opened < connectionCount; opened += wave) {
    await Promise.all(Array.from({ length: wave }, callOnce));
  }
  await sleep(restMs);
  const after = residentBytes(pid);
  const ended = opened.filter(({ readyState }) => readyState !== 'open').length;
  const megabytes = (after - before) / 1e6;
  const kilobytesEach = ((after - before) / connectionCount / 1e3).toFixed(1);
  const [from, to] = [before, after].map((bytes) => (bytes / 1e6).toFixed(0));
  console.log(
    `${connectionCount} idle connections: ${from} MB before, ${to} with them, ` +
      `${megabytes.toFixed(0)} more (aim ${aimMegabytes}), ${kilobytesEach} kB each; ` +
      `${ended} ended during the run`,
  );
  return megabytes <= aimMegabytes && ended === 0 ? 0 : 1;
});

function requestText(url: URL, headers: Readonly<Record<string, string>>, body: string): string {
  const all = {
    host: url.host,
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /v1/chat HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Sends a request and reads the whole response by its content length. */
async function sendRequest(socket: Socket, request: string): Promise<void> {
  await once(socket, 'connect');
  socket.write(request);
  let seen = '';
  for (;;) {
    const [bytes] = await once(socket, 'data');
    seen += String(bytes);
    const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(seen) ?? [];
    const bodyAt = seen.indexOf('\r\n\r\n') + 4;
    if (length !== undefined && seen.length >= bodyAt + Number(length)) break;
  }
  if (!seen.startsWith('HTTP/1.1 200')) throw new Error(`a call failed: ${seen.slice(0, 200)}`);
}

function residentBytes(pid: number): number {
  const [, kibibytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1_024;
}
