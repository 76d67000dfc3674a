import { afterEach, expect, it } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { createShares } from '../../src/ingress/limits/shares.ts';
import { createCount } from '../../src/lib/count.ts';
import type { SendOutcome } from '../../src/platforms/http/transport.ts';
import { createTestClock } from '../support/test-clock.ts';
import { answerOf, failureOf, openServer, openTransport, releaseAll } from './support/exchanges.ts';
import { answerText } from './support/scripted-server.ts';

afterEach(releaseAll);

const many = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A platform whose responses a test releases, and a transport that apps share. */
async function openShared(parts: {
  readonly connectionsMax: number;
  readonly enabledApps: number;
  readonly clock?: ReturnType<typeof createTestClock>;
}) {
  const { connectionsMax, enabledApps, clock } = parts;
  const arrived: { readonly body: string; readonly answer: () => void }[] = [];
  const server = await openServer((socket, { body }) => {
    arrived.push({ body, answer: () => void socket.write(answerText(200, '{}')) });
  });
  const shares = { counted: createCount(), clock: clock ?? createTestClock() };
  const transport = openTransport({
    ...{ baseUrl: server.url, connectionsMax },
    ...(clock === undefined ? {} : { clock }),
    openShares: (max) => createShares({ max, enabledApps: () => enabledApps, ...shares }),
  });
  const send = (app: string, name: string, signal = new AbortController().signal) =>
    transport.send({ ...request, app, body: `${app} ${name}`, signal });
  const sendMany = (app: string, count: number): readonly Promise<SendOutcome>[] =>
    many(count).map((index) => send(app, String(index)));
  const of = (app: string) => arrived.filter(({ body }) => body.startsWith(`${app} `)).length;
  /** Answers this many requests, pending ones first, later ones as they arrive. */
  const answerAll = async (count: number) => {
    for (let next = 0; next < count; next++) {
      await until(() => arrived.length > next);
      arrived[next]?.answer();
    }
  };
  return { arrived, send, sendMany, of, answerAll };
}

const request = { method: 'POST', path: '/v1/chat', headers: {} } as const;

it('leave some to other apps, and no call is lost or doubled', async () => {
  const { arrived, sendMany, of, answerAll } = await openShared({
    ...{ connectionsMax: 20, enabledApps: 2 },
  });
  const eager = sendMany('search', 100);
  await until(() => of('search') === 17);
  const others = sendMany('tutor', 3);
  await until(() => of('tutor') === 3);
  expect(arrived).toHaveLength(20);
  await answerAll(103);
  for (const sent of [...eager, ...others]) expect((await answerOf(sent)).status).toBe(200);
  expect(new Set(arrived.map(({ body }) => body)).size).toBe(103);
  expect(arrived).toHaveLength(103);
});

it('go to the waiting apps in turns, however many calls each has', async () => {
  const { arrived, sendMany } = await openShared({ connectionsMax: 1, enabledApps: 3 });
  const sent = [...sendMany('search', 1_000), ...sendMany('tutor', 3), ...sendMany('batch', 1)];
  for (let next = 0; next < 8; next++) {
    await until(() => arrived.length > next);
    arrived[next]?.answer();
  }
  const served = arrived.slice(0, 8).map(({ body }) => body);
  expect(served.filter((body) => body.startsWith('tutor'))).toHaveLength(3);
  expect(served).toContain('batch 0');
  for (const one of sent) one.catch(() => undefined);
});

it('are not waited for by a canceled call', async () => {
  const { arrived, send } = await openShared({ connectionsMax: 1, enabledApps: 1 });
  const controllers = many(50).map(() => new AbortController());
  const first = send('search', 'first');
  const cut = controllers.map(({ signal }) => send('search', 'cut', signal));
  const last = send('search', 'last');
  for (const controller of controllers) controller.abort();
  for (const one of cut) {
    expect(await failureOf(one)).toMatchObject({ kind: 'aborted', wasSent: false });
  }
  await until(() => arrived.length === 1);
  arrived[0]?.answer();
  await until(() => arrived.length === 2);
  arrived[1]?.answer();
  expect([(await answerOf(first)).status, (await answerOf(last)).status]).toEqual([200, 200]);
  expect(arrived.map(({ body }) => body)).toEqual(['search first', 'search last']);
});

it('are free and not given above a share, until other apps have been inactive', async () => {
  const clock = createTestClock();
  const { arrived, send, sendMany, of } = await openShared({
    ...{ connectionsMax: 10, enabledApps: 2, clock },
  });
  const first = sendMany('search', 5);
  await until(() => of('search') === 5);
  const other = send('tutor', 'only');
  await until(() => of('tutor') === 1);
  arrived.at(-1)?.answer();
  await answerOf(other);
  // Another one was active recently.
  const more = sendMany('search', 4);
  await until(() => of('search') === 6);
  await clock.advance(900);
  expect(of('search')).toBe(6);
  await clock.advance(1_100);
  await until(() => of('search') === 8);
  for (const { answer } of arrived) answer();
  await until(async () => {
    await clock.advance(3);
    return of('search') === 9;
  });
  arrived.at(-1)?.answer();
  for (const sent of [...first, ...more]) expect((await answerOf(sent)).status).toBe(200);
});
