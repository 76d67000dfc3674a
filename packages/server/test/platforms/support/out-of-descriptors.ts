import { openSync } from 'node:fs';
import { codeOf, isFailure } from '../../../src/platforms/http/transport.ts';
import { createUndiciTransport } from '../../../src/platforms/http/undici-transport.ts';

// Runs as its own process: it uses up every descriptor that it may have.
const transport = createUndiciTransport({ baseUrl: process.argv[2] ?? '' });
for (;;) {
  try {
    openSync('/dev/null', 'r');
  } catch (error) {
    if (codeOf(error) === 'EMFILE') break;
    throw error;
  }
}
const { signal } = new AbortController();
const request = { method: 'POST', path: '/', headers: {}, body: '{}', signal };
const sent = await transport.send(request);
console.log(isFailure(sent) ? `${sent.kind} ${sent.causeCode} ${sent.wasSent}` : 'answered');
