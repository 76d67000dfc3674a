import type { Script } from '@model-gateway/simulator';
import { expect, test } from 'vitest';
import { createRequestLog } from '../../src/calls/model/request-log.ts';
import { createObject } from '../../src/calls/model-operations/object.ts';
import { names } from '../../src/ingress/dialects/gateway/gateway.ts';
import type { CompiledSchema } from '../../src/json-schema/schemas.ts';
import { type Clock, sleep } from '../../src/lib/clock.ts';
import { createOneShot } from '../../src/lib/one-shot.ts';
import { objectOf } from '../objects/ask.ts';
import { scrape } from '../observe/support/scrape.ts';
import { readAttempts, readCalls } from '../support/books.ts';
import { onStack } from '../support/on-stack.ts';
import { uncounted } from '../support/processor.ts';
import type { Stack } from '../support/stack.ts';

/** The platform's part of every call here. */
const platformMs = 200;

const script: Script = () => ({ kind: 'answer', text: '{"title":"t"}', delayMs: platformMs });

/** A schema whose checks wait this long for a thread. */
function slowSchema(clock: Clock, waitMs: number): CompiledSchema {
  return {
    kind: 'compiled',
    isStrict: true,
    async check() {
      await sleep(clock, waitMs);
      return { kind: 'fits' };
    },
  };
}

/** One object of the app `search`, past the entry point, which would compile the schema itself. */
function ask({ service, clock }: Stack, checkMs: number) {
  const app = service.registry.app('search');
  if (app === undefined) throw new Error('the app is of the default file');
  const permit = { transfer: () => permit, release: () => undefined };
  const size = { bodyBytes: 200, grownBytes: 0, imageBytes: 0, images: 0, schemaBytes: 200 };
  const requestLog = createRequestLog();
  const answer = service.runner.run({
    operation: createObject(slowSchema(clock, checkMs)),
    request: objectOf('sim-echo'),
    size: { ...size, hasTools: false, maxTokens: 500 },
    context: {
      ...{ requestId: 'req_1', app, route: 'objects', keyId: 'key', idempotencyKey: undefined },
      ...{ permit, callerDisconnected: createOneShot(), log: requestLog, dialect: 'gateway' },
      ...{ names, work: uncounted },
      ...{ run: undefined, remote: undefined, trace: undefined },
    },
  });
  return { answer, requestLog };
}

test(
  'a check of 300 ms is not platform time: not in the record, the log, the metric',
  onStack(
    async (stack) => {
      const { answer, requestLog } = ask(stack, 300);
      expect(await stack.clock.run(answer)).toMatchObject({ kind: 'done' });
      expect(stack.clock.monotonic()).toBe(platformMs + 300);
      expect(requestLog.modelMs).toBe(platformMs);
      const [call] = await readCalls(stack.store, 'search', '2026-11-21');
      expect(await readAttempts(stack.store, call)).toMatchObject([{ tookMs: platformMs }]);
      const seen = await scrape(stack);
      const series = 'model_gateway_stage_seconds_sum{route="objects",stage="model"}';
      expect(seen.value(series)).toBe(platformMs / 1_000);
    },
    { script },
  ),
);

test(
  'a check that outlasts the call’s time is a TIMEOUT, and the answer is paid',
  onStack(
    async (stack) => {
      const { answer, requestLog } = ask(stack, 40_000);
      const result = await stack.clock.run(answer);
      expect(result).toMatchObject({ kind: 'failed', error: { code: 'TIMEOUT' } });
      expect(stack.clock.monotonic()).toBe(26_000);
      await stack.clock.advance(40_000);
      expect(requestLog.modelMs).toBe(platformMs);
      const [call] = await readCalls(stack.store, 'search', '2026-11-21');
      expect(call).toMatchObject({ code: 'TIMEOUT', basis: 'exact' });
    },
    { script },
  ),
);
