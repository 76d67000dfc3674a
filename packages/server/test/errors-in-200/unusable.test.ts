import type { RawReply } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { expectClean, heldBy, readCalls } from '../support/books.ts';
import { openStack, type Stack } from '../support/stack.ts';
import { nameOf, openHouse, type Route, routes, said, yaml } from './house.ts';

const { ask, stack } = openHouse();

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };
const page = '<html>Sign in</html>';

/** Responses without an answer, by their cause. */
const causes: Readonly<Record<string, RawReply>> = {
  html: { kind: 'raw', status: 200, headers: html, body: page },
  'not-json': { kind: 'raw', status: 200, headers: json, body: 'Hello.' },
  compressed: {
    ...{ kind: 'raw', status: 200, body: 'x' },
    headers: { ...json, 'content-encoding': 'gzip' },
  },
  'other-shape': said({ hello: 'there' }),
};

/** The state of the platform as operators see it. */
async function platformStateOf({ service, clock }: Stack): Promise<unknown> {
  const shown = service.monitor.pages['/ready'];
  if (shown === undefined) throw new Error('there is no page /ready');
  const { text } = await clock.run(Promise.resolve(shown('verbose')));
  return JSON.parse(text).platforms[0];
}

const table = Object.entries(causes).flatMap(([cause, reply]) =>
  routes.map((route) => [`${cause}, ${nameOf(route)}`, cause, reply, route] as const),
);

describe('each unusable response', () => {
  test.each(table)(
    '%s: the maximum is booked, and the cause is known',
    async (_, cause, reply, route) => {
      await stack().clock.advance(61_000);
      const before = stack().logLines.length;
      const told = await ask(route, [reply]);
      expect(told.record?.cost).toBeGreaterThan(0n);
      expect(told.record?.code).toBe('SERVER');
      expect(told.attempts.every(({ estimated }) => estimated)).toBe(true);
      expect(told.text).not.toContain('Sign in');
      const warned = stack()
        .logLines.slice(before)
        .filter(({ level, fields }) => level === 'warn' && 'cause' in fields);
      const isRelayed = route.isStream && /responses|messages/.test(route.path);
      const expected = cause === 'other-shape' && isRelayed ? 'no-stream' : cause;
      expect(warned.map(({ fields }) => fields.cause)).toEqual([expected]);
      expect(await platformStateOf(stack())).toMatchObject({ state: 'unusable' });
    },
  );
});

/** Another service, whose platform responds with HTML until it is repaired. */
async function openStackOf({ path, wire, body }: Route) {
  let sent = 0;
  let isMended = false;
  const stack = await openStack({
    yaml,
    script() {
      sent += 1;
      return isMended ? undefined : causes.html;
    },
  });
  const { clock, store, simulator, logLines } = stack;
  const calls = async () => (await readCalls(store, 'search', utcDayOf(clock.now()))).length;
  return {
    stack,
    calls,
    sent: () => sent,
    mend() {
      isMended = true;
    },
    warned: () =>
      logLines.filter(({ level }) => level === 'warn').map(({ fields }) => fields.cause),
    async ask() {
      const headers = {
        authorization: `Bearer ${await stack.key('search')}`,
        'anthropic-version': '2023-06-01',
      };
      // The echo, once it is repaired.
      const model = wire === 'vectors' ? wire : `${wire}-2`;
      const response = await stack.post('search', path, body(model), { headers });
      const text = await clock.run(response.text());
      await clock.settle();
      expect(await heldBy(store, 'search')).toBe(0);
      await expectClean({ store, clock, simulator });
      return { status: response.status, headers: response.headers, text };
    },
  };
}

describe('a model without any usable response so far', () => {
  test.each(routes.map((route) => [nameOf(route), route] as const))(
    '%s: nothing is reserved after five, and one call a minute is the probe',
    async (_, route) => {
      const house = await openStackOf(route);
      const page = '<html>Sign in</html>';
      try {
        const answers = [];
        for (let index = 0; index < 20; index++) answers.push(await house.ask());
        expect(house.sent()).toBe(5);
        const last = answers.at(-1);
        expect(last?.headers.get('retry-after')).toBe('60');
        expect(last?.text).toContain('nothing was charged');
        expect(last?.text).not.toContain(page);
        expect(await house.calls()).toBe(5);
        expect(house.warned()).toEqual(['html']);
        await house.stack.clock.advance(60_000);
        await house.ask();
        await house.ask();
        expect(house.sent()).toBe(6);
        house.mend();
        await house.stack.clock.advance(60_000);
        expect((await house.ask()).status).toBe(200);
        expect(await platformStateOf(house.stack)).toMatchObject({ state: 'works' });
        expect((await house.ask()).status).toBe(200);
      } finally {
        await house.stack.close();
      }
    },
  );
});
