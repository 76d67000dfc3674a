import { type ApiErrorCode, apiErrors } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { CallError } from '../../src/calls/model/call-error.ts';
import { refuse as anthropicRefusal } from '../../src/ingress/dialects/anthropic/refuse.ts';
import { refuse as openAiRefusal } from '../../src/ingress/dialects/openai/format/refuse.ts';
import { settled } from '../streams/support/books.ts';
import { twentyWords } from '../streams/support/told.ts';
import { pairwise } from '../support/pairs.ts';
import { errorCauses } from './support/error-causes.ts';
import { openErrorHouse } from './support/error-house.ts';
import { errorRoutes } from './support/error-routes.ts';
import { describeErrors } from './support/error-table.ts';
import { errorWords } from './support/error-words.ts';
import { routes } from './support/paid-routes.ts';
import { startRaw } from './support/raw-caller.ts';

describeErrors(pairwise);

test('every error is tested above, or in rim.test.ts, or never sent', () => {
  const met = new Set<string>(Object.values(errorCauses).map(({ told }) => told.code));
  const rest = Object.entries(errorWords).filter(([code]) => !met.has(code));
  expect(rest.map(([code, { never }]) => [code, never !== undefined])).toEqual([
    ['REQUEST_TIMEOUT', false],
    ['CREDITS_NOT_ENABLED', true],
    ['EXPECTATION_FAILED', false],
    ['TRUNCATED', true],
    ['HEADERS_TOO_LARGE', false],
    ['ABORTED', true],
  ]);
});

describe('the words of every error, also of errors that are never sent', () => {
  const codes = Object.keys(apiErrors).filter((code): code is ApiErrorCode => code in apiErrors);

  test.each(codes)('%s', (code) => {
    const error = new CallError(code, 'It is so.', { model: 'a-model' });
    const [status, type, known] = errorWords[code].openai;
    const told = openAiRefusal(error);
    const body = { error: { message: 'It is so.', type, param: expect.anything(), code: known } };
    const { error: found } = JSON.parse(told.body);
    expect([told.status, { error: { ...found, param: found.param ?? '' } }]).toEqual([
      status,
      body,
    ]);
    const [other, word] = errorWords[code].anthropic;
    const message = { type: word, message: 'It is so.' };
    const spoken = anthropicRefusal(error);
    expect([spoken.status, JSON.parse(spoken.body)]).toEqual([
      other,
      { type: 'error', error: message, request_id: null },
    ]);
    for (const { headers } of [told, spoken])
      expect(headers).toMatchObject({ 'x-error-code': code });
  });
});

describe('a stream that has begun ends with the error', () => {
  const house = openErrorHouse();
  const broken = { how: 'break', after: 3 } as const;
  const silent = { how: 'silence', after: 3 } as const;
  const ends = Object.keys(routes).flatMap((name) =>
    name === 'embeddings'
      ? []
      : [[name, broken, 'SERVER'] as const, [name, silent, 'TIMEOUT'] as const],
  );

  test.each(ends)('of %s: %j, %s', async (name, stop, code) => {
    const { newApp, stack } = house();
    await stack.clock.advance(11_000);
    const app = await newApp();
    const prompt = JSON.stringify({ text: twentyWords, stream: { gapMs: 10, stop } });
    const { body, path } = errorRoutes[name] ?? { body: () => ({}), path: '' };
    const caller = await startRaw(stack, app, path, { text: JSON.stringify(body(prompt, true)) });
    await caller.untilEnd();
    expect(caller.status()).toBe(200);
    const last = caller.text().trimEnd().split('\n\n').at(-1) ?? '';
    const [, event, data = ''] = /^(?:event: (\w+)\n)?data: (.*)$/.exec(last) ?? [];
    const message = expect.stringMatching(/^The model /);
    const [, type, known] = errorWords[code].openai;
    const error = { message, type, param: null, code: known };
    expect([event, JSON.parse(data)]).toEqual(
      {
        'chat completions': [undefined, { error }],
        responses: ['error', { type: 'error', code: known, message, param: null, error }],
        messages: [
          'error',
          { type: 'error', error: { type: errorWords[code].anthropic[1], message } },
        ],
      }[name],
    );
    await settled(stack, app);
    expect(await stack.audit()).toMatchObject({ clean: true });
  });
});
