import { connect } from 'node:net';
import { type Clock, sleep } from '@model-gateway/server/lib/clock';
import type { Chance } from './chance.ts';

export interface Flooder {
  count(): number;
  stop(): Promise<void>;
}

interface Target {
  readonly url: string;
  readonly apiKey: string;
  readonly clock: Clock;
}

/** The largest body that a gateway accepts by default. */
const bodyBytes = 4 * 1024 * 1024;
const pauseMs = 100;

/** Announces the largest body and never sends a byte of it. */
export function announceBodies({ url, apiKey, clock }: Target, atOnce: number): Flooder {
  const { hostname, port } = new URL(url);
  const head = [
    'POST /v1/chat HTTP/1.1',
    'host: gateway.test',
    `x-api-key: ${apiKey}`,
    'content-type: application/json',
    `content-length: ${bodyBytes}`,
    '\r\n',
  ].join('\r\n');
  let announced = 0;
  return repeat(atOnce, clock, announceOne, () => announced);

  function announceOne(stopped: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(head);
        announced += 1;
      });
      const end = () => socket.destroy();
      stopped.addEventListener('abort', end, { once: true });
      socket.on('data', end);
      // Each end of a connection starts the next one.
      socket.on('error', end);
      socket.on('close', () => {
        stopped.removeEventListener('abort', end);
        resolve();
      });
    });
  }
}

/** Bodies of the largest size, expensive to read, and invalid. */
export function sendRefusedBodies(
  { url, apiKey, clock }: Target,
  atOnce: number,
  chance: Chance,
): Flooder {
  const bodies = dearBodies();
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  let sent = 0;
  return repeat(atOnce, clock, sendOne, () => sent);

  async function sendOne(signal: AbortSignal): Promise<void> {
    const body = bodies[chance.below(bodies.length)];
    if (body === undefined) return;
    try {
      const response = await fetch(`${url}/v1/chat`, { method: 'POST', headers, body, signal });
      await response.arrayBuffer();
      if (response.status === 400) sent += 1;
    } catch {
      // Cut within the body, or stopped: the loop continues or ends.
    }
  }
}

/** Each as expensive as this size allows, in a different way. */
function dearBodies(): readonly Buffer[] {
  const start = '{"model":"asked","maxTokens":1000,"messages":[],"extra":';
  const fill = (piece: (index: number) => string, open: string, close: string) => {
    const pieces: string[] = [];
    for (let bytes = start.length; bytes < bodyBytes - 64; ) {
      const next = piece(pieces.length);
      pieces.push(next);
      bytes += next.length + 1;
    }
    return `${start}${open}${pieces.join(',')}${close}}`;
  };
  const names = Array.from({ length: 45_000 }, (_, index) => `"n${index}":1`).join(',');
  const texts = [
    fill((index) => `{"a${index}":1}`, '[', ']'),
    fill((index) => `"n${index}":1`, '{', '}'),
    `${start}${'['.repeat(bodyBytes / 2 - 64)}${']'.repeat(bodyBytes / 2 - 64)}}`,
    // Just below the limits of the parser.
    `${start}{${names}},"text":"${'x'.repeat(bodyBytes - names.length - 256)}"}`,
  ];
  return texts.map((text) => Buffer.from(text));
}

function repeat(
  atOnce: number,
  clock: Clock,
  once: (stopped: AbortSignal) => Promise<void>,
  count: () => number,
): Flooder {
  const stopping = new AbortController();
  const flood = async () => {
    while (!stopping.signal.aborted) {
      await once(stopping.signal);
      await sleep(clock, pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, flood));
  return {
    count,
    async stop() {
      stopping.abort();
      await all;
    },
  };
}
