import { connect, type Socket } from 'node:net';
import { until } from '../../../../../harness/until.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { requestText } from '../../support/raw-http.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { startUpstream, type Upstream, type UpstreamPlan } from './upstream.ts';

/** The usage that the platform reports. */
export const usage = { inputTokens: 20, outputTokens: 2_000 };
/** More than two sockets of the machine buffer when nobody reads. */
export const large: UpstreamPlan = { delta: 'word '.repeat(200), deltas: 14_000, usage };
/** The bytes that a platform may be ahead of its caller. */
export const aheadBytes = 65_536;
export const chat = {
  ...{ model: 'big', maxTokens: 100_000, userId: 'ada' },
  messages: [{ role: 'user', content: 'Say much.' }] as const,
};

/** A service between a platform that writes much and callers that do not read. */
export interface SlowReaders {
  readonly server: TestServer;
  readonly upstream: Upstream;
  /** The service's sides of the sockets. */
  readonly ours: ReadonlySet<Socket>;
  /** Requests a stream on a socket that is not read until `resume` is called. */
  ask(): Promise<Socket>;
  /**
   * Waits until each call has written everything that is accepted, which exceeds the read-ahead,
   * and each caller's socket accepts no more.
   */
  heldBack(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts the platform and the service; `ask` adds callers. */
export async function startSlowReaders(
  plan: UpstreamPlan,
  // On a busy machine it takes minutes until a hundred callers are paused.
  streams = '{ stallMs: 900000, idleMs: 900000, totalMs: 1800000 }',
  clock?: Clock,
): Promise<SlowReaders> {
  const upstream = await startUpstream(plan);
  const server = await startServer({
    yaml: yamlOf(upstream.url, streams),
    ...(clock && { clock }),
  });
  const sockets: Socket[] = [];
  const ours = new Set<Socket>();
  server.listener.on('connection', (socket: Socket) => ours.add(socket));
  return { server, upstream, ours, ask, heldBack, close };

  async function ask() {
    const apiKey = await server.key('search');
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.pause();
    sockets.push(socket);
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    socket.write(requestText('POST /v1/chat/stream', headers, JSON.stringify(chat)));
    return socket;
  }

  async function heldBack(count: number) {
    const planned = plan.deltas * plan.delta.length;
    const held = () =>
      upstream.calls.filter(
        ({ textBytes, isHeld }) => textBytes > aheadBytes && (isHeld || textBytes === planned),
      ).length;
    // A wait for each caller: one wait would be too short for a hundred of them.
    for (let callers = 1; callers <= count; callers++) await until(() => held() >= callers);
    await until(() => held() === count && [...ours].every(isFull));
  }

  async function close() {
    for (const socket of sockets) socket.destroy();
    await server.close();
    await upstream.close();
  }
}

/**
 * It has accepted more than one piece, and accepts no more: bytes on their way may still arrive.
 */
function isFull({ bytesWritten, writableLength }: Socket): boolean {
  return writableLength > 0 && bytesWritten - writableLength > aheadBytes;
}

function yamlOf(url: string, streams: string): string {
  return `
company: acme
store: sqlite:./gateway.db
streaming: true
streams: ${streams}
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
platforms:
  up: { kind: openai-compatible, baseUrl: "${url}", apiKey: some-key }
apps:
  - { name: search, dailyBudgetUsd: "500", credits: { monthlyGrant: "100000", usdPerCredit: "0.01" } }
models:
  - { id: big, platform: up, inputUsdPerMillion: "0.15", cacheWriteInputUsdPerMillion: "0.1875", outputUsdPerMillion: "0.6", contextTokens: 2000000, maxOutputTokens: 1000000 }
`;
}
