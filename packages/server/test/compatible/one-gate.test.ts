import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** Files of the server that contain a pattern, in order. */
function filesWith(pattern: RegExp): readonly string[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return files
    .filter(
      (file) => file.endsWith('.ts') && pattern.test(readFileSync(join(source, file), 'utf8')),
    )
    .toSorted();
}

test('one module calls platforms for callers, and two others without a caller', () => {
  // A model of vectors is a wire format with its own reader, which it calls.
  const inner = 'platforms/wires/openai-embeddings/openai-embeddings.ts';
  expect(filesWith(/\.attempt\(/).filter((file) => file !== inner)).toEqual([
    'calls/attempts/attempts.ts',
    // The smallest call of an operator's check, and the proof that a platform bills by project.
    'operations/platforms/smallest-call.ts',
    'platforms/mantle/probe.ts',
  ]);
});

test('only calls with a reservation make attempts', () => {
  expect(filesWith(/\bgenerate\(/)).toEqual(['calls/attempts/attempts.ts', 'calls/execute.ts']);
  expect(filesWith(/\bfinishCall\(/)).toEqual(['calls/run.ts']);
  expect(filesWith(/\brunner\.run\(/)).toEqual([
    'ingress/dispatch.ts',
    'ingress/stream/streams.ts',
  ]);
});

test('no dialect depends on a platform', () => {
  expect(filesWith(/from '(\.\.\/)+platforms\//).filter((file) => /^ingress/.test(file))).toEqual(
    [],
  );
});
