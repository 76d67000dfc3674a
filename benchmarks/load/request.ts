import { randomUUID } from 'node:crypto';
import type { LoadJob } from './job.ts';

/** Makes the bytes of each call of a job. */
export function createRequests({ target, hasIdempotencyKeys }: LoadJob): () => readonly Buffer[] {
  const { url, path, headers } = target;
  const body = Buffer.from(target.body);
  const lines = [`POST ${path} HTTP/1.1`, `host: ${new URL(url).host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  lines.push('content-type: application/json', `content-length: ${body.length}`);
  const head = lines.join('\r\n');
  if (!hasIdempotencyKeys) {
    const whole = [Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])];
    return () => whole;
  }
  const run = randomUUID();
  let number = 0;
  return () => {
    number += 1;
    return [Buffer.from(`${head}\r\nidempotency-key: ${run}-${number}\r\n\r\n`), body];
  };
}
