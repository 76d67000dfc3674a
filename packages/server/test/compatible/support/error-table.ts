import { describe, expect, test } from 'vitest';
import { nextUtcDayMs } from '../../../src/lib/clock.ts';
import { settled } from '../../streams/support/books.ts';
import { send } from '../../support/exchange.ts';
import type { Choose } from '../../support/pairs.ts';
import { type ErrorCause, errorCauses } from './error-causes.ts';
import { type ErrorHouse, openErrorHouse } from './error-house.ts';
import { type ErrorRoute, errorRoutes, expectToldError } from './error-routes.ts';

interface Row {
  readonly what: string;
  readonly cause: ErrorCause;
  readonly name: string;
  readonly route: ErrorRoute;
  readonly isStream: boolean;
}

const calls = Object.entries(errorRoutes).flatMap(([name, route]) =>
  [false, ...(route.canStream ? [true] : [])].map((isStream) => ({ name, route, isStream })),
);
const table: readonly Row[] = Object.entries(errorCauses).flatMap(([what, cause]) => {
  const { on = ({ isCall }) => isCall } = cause;
  return calls
    .filter(({ route, isStream }) => on(route, isStream))
    .map((row) => ({ what, cause, ...row }));
});

/** The exact error of every cause on every compatible route. */
export function describeErrors(choose: Choose) {
  const house = openErrorHouse();

  describe.each([...Map.groupBy(choose(table), ({ what }) => what)])('%s', (_, rows) => {
    test.each(rows)('$name, streamed $isStream', (row) => expectTold(house(), row));
  });
}

async function expectTold(house: ErrorHouse, { cause, route, isStream }: Row) {
  const { mend, newApp, stack } = house;
  // Earlier failures must not open a circuit.
  await stack.clock.advance(11_000);
  const app = await newApp(cause.settings);
  const { prompt = 'Hello', text: changed = (body: object) => JSON.stringify(body) } = cause;
  const text = changed(route.body(prompt, isStream), route);
  const ask = () => asking(house, { app, cause, route, text });
  await cause.prepare?.({ house, app, most: route.most(text), ask });
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
  if (shows === undefined) return stack.key(app);
  switch (shows) {
    case 'none':
      return undefined;
    case 'unknown':
      return 'nobody';
    case 'off the convention':
      return (await stack.issueNamedKey(`odd key ${oddKeys}`, app)).key;
    case 'of nobody':
      return (await stack.issueNamedKey(`llm::user::nobody::a${oddKeys}@b.example`, 'nobody')).key;
  }
}
