import { type ApiErrorCode, apiErrors } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { CallError } from '../../src/calls/call-error.ts';
import { refuse as anthropicRefusal } from '../../src/ingress/dialects/anthropic/refuse.ts';
import { refuse as openAiRefusal } from '../../src/ingress/dialects/openai/refuse.ts';
import { nextUtcDayMs } from '../../src/lib/clock.ts';
import { settled } from '../streams/support/books.ts';
import { twentyWords } from '../streams/support/told.ts';
import { send } from '../support/exchange.ts';
import { type ErrorCause, errorCauses } from './support/error-causes.ts';
import { type ErrorHouse, openErrorHouse } from './support/error-house.ts';
import { type ErrorRoute, errorRoutes, expectToldError } from './support/error-routes.ts';
import { errorWords } from './support/error-words.ts';
import { routes } from './support/paid-routes.ts';
import { startRaw } from './support/raw-caller.ts';

interface Row {
  readonly name: string;
  readonly route: ErrorRoute;
  readonly isStream: boolean;
}

const rows: readonly Row[] = Object.entries(errorRoutes).flatMap(([name, route]) =>
  [false, ...(route.canStream ? [true] : [])].map((isStream) => ({ name, route, isStream })),
);

describe.each(Object.entries(errorCauses))('%s', (_, cause) => {
  const { on = ({ isCall }) => isCall } = cause;
  const possible = rows.filter(({ route, isStream }) => on(route, isStream));
  test.each(possible)('$name, streamed $isStream', (row) => expectTold(cause, row));
});

test('every error is met above, or in rim.test.ts, or is told to nobody', () => {
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

const house = openErrorHouse();

async function expectTold(cause: ErrorCause, { route, isStream }: Row) {
  const { mend, newApp, stack } = house();
  // What failed before is to open no circuit.
  await stack.clock.advance(11_000);
  const app = await newApp(cause.settings);
  const { prompt = 'Hello', text: changed = (body: object) => JSON.stringify(body) } = cause;
  const text = changed(route.body(prompt, isStream), route);
  const ask = () => asking(house(), { app, cause, route, text });
  await cause.prepare?.({ house: house(), app, most: route.most(text), ask });
  const met = await ask();
  await mend();
  const { told } = cause;
  const nowMs = stack.clock.now();
  const seconds = String(Math.ceil((nextUtcDayMs(nowMs) - nowMs) / 1_000));
  const retryAfter = told.retryAfter === 'midnight' ? seconds : told.retryAfter;
  const header = (name: string) => met.headers.get(name);
  expectToldError({ status: met.status, text: met.text, header }, route, { ...told, retryAfter });
  await settled(stack, app);
  expect(await stack.audit()).toMatchObject({ clean: true });
}

interface Asking {
  readonly app: string;
  readonly cause: ErrorCause;
  readonly route: ErrorRoute;
  readonly text: string;
}

async function asking({ stack }: ErrorHouse, { app, cause, route, text }: Asking) {
  const shown = await shownKey({ stack }, { app, cause });
  const { method } = route;
  return send(stack, cause.path?.(route) ?? route.path, {
    method,
    headers: {
      ...(shown === undefined ? {} : { authorization: `Bearer ${shown}` }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...cause.headers,
    },
    ...(method === 'POST' ? { body: text } : {}),
  });
}

let oddKeys = 0;

async function shownKey(
  { stack }: Pick<ErrorHouse, 'stack'>,
  { app, cause: { shows } }: Pick<Asking, 'app' | 'cause'>,
) {
  oddKeys += 1;
  switch (shows) {
    case undefined:
      return stack.key(app);
    case 'none':
      return undefined;
    case 'unknown':
      return 'nobody';
    case 'off the convention':
      return (await stack.oddKey(`odd key ${oddKeys}`, app)).key;
    case 'of nobody':
      return (await stack.oddKey(`llm::user::nobody::a${oddKeys}@b.example`, 'nobody')).key;
  }
}

describe('the words of every error, also of those that nobody is told', () => {
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
