import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { argv } from 'node:process';
import { Pool } from 'undici';
import { serveUntilParentEnds } from '../processes/serve.ts';

// The bare relay: it forwards the platform's bytes to the caller as they come, without reading
// them.

const [, , upstreamUrl] = argv;
if (upstreamUrl === undefined) throw new Error('usage: node pipe.ts UPSTREAM_URL');
const pool = new Pool(upstreamUrl, { connections: 10_000, pipelining: 1, allowH2: false });
const headers = { 'content-type': 'application/json', authorization: 'Bearer none' };

serveUntilParentEnds(createServer({ keepAliveTimeout: 75_000 }, receive));

function receive(incoming: IncomingMessage, outgoing: ServerResponse) {
  const pieces: Buffer[] = [];
  incoming.on('data', (piece: Buffer) => void pieces.push(piece));
  incoming.on('end', () => {
    const request = { method: 'POST', path: '/v1/chat/completions', headers } as const;
    outgoing.socket?.setNoDelay(true);
    void pool
      .stream({ ...request, body: Buffer.concat(pieces) }, ({ statusCode }) => {
        outgoing.writeHead(statusCode, { 'content-type': 'text/event-stream' });
        return outgoing;
      })
      // A disconnected caller ends its stream.
      .catch(() => outgoing.destroy());
  });
}
