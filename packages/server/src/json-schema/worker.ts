import assert from 'node:assert';
import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../lib/thread-priority.ts';
import { compile, PatternError, type SchemaText, type Validate } from './compile.ts';
import type { CheckRequest, Reply } from './messages.ts';
import { createTextCache } from './text-cache.ts';

// A thread for schemas of unknown cost. Requests are answered elsewhere, and the thread can be
// ended at any time.
const port = parentPort;
assert(port !== null, 'this file must be run as a worker thread');
const post = (reply: Reply) => port.postMessage(reply);

lowerThreadPriority();

/** Compiled code is about 10 times as large as its schema. */
const compiled = createTextCache<Validate>({ entriesMax: 200, charactersMax: 2_000_000 });

port.on('message', ({ schema, value }: CheckRequest) => {
  try {
    const validate = validatorOf(schema);
    post({ kind: 'compiled' });
    if (value === undefined) return;
    const read: unknown = JSON.parse(value);
    post(validate(read));
  } catch (error) {
    const pattern = error instanceof PatternError ? error.pattern : undefined;
    post({ kind: 'refused', pattern, text: reasonOf(error) });
  }
});
post({ kind: 'ready' });

function validatorOf(schema: SchemaText): Validate {
  const cached = compiled.get(schema.text);
  if (cached !== undefined) return cached;
  const validate = compile(schema, { isLarge: true });
  compiled.set(schema.text, validate);
  return validate;
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it refers to itself without end';
  return error instanceof Error ? error.message : String(error);
}
