import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { until } from '../../../../harness/until.ts';
import { isFailure } from '../../src/platforms/http/transport.ts';
import type { UndiciTransportOptions } from '../../src/platforms/http/undici-transport.ts';
import { createTestClock } from '../support/test-clock.ts';
import {
  answerOf,
  openServer,
  openTransport,
  releaseAll,
  requestWith,
} from './support/exchanges.ts';
import { answering, answerText, type Script } from './support/scripted-server.ts';

afterEach(releaseAll);

const anyTime = () => new AbortController().signal;

/** A transport whose connections rest for the test's time, and its reports. */
async function opened(script: Script, options: Partial<UndiciTransportOptions> = {}) {
  const server = await openServer(script);
  const clock = createTestClock();
  const onUnsolicited = vi.fn();
  const transport = openTransport({ baseUrl: server.url, clock, onUnsolicited, ...options });
  const send = (app: string) => answerOf(transport.send({ ...requestWith(anyTime()), app }));
  return { server, clock, onUnsolicited, send };
}

const times = <T>(length: number, item: (index: number) => T) =>
  Array.from({ length }, (_, index) => item(index));

describe('a connection', () => {
  it('is never passed from one app to another', async () => {
    const { server, clock, send } = await opened(answering(200, '{}'));
    for (const app of ['search', 'tutor', 'search', 'tutor', '']) {
      await send(app);
      await clock.advance(2);
    }
    expect(server.accepted()).toBe(3);
  });

  it('rests 2 ms behind a response', async () => {
    const { server, clock, send } = await opened(answering(200, '{}'));
    await send('search');
    await clock.advance(1);
    await send('search');
    expect(server.accepted()).toBe(2);
    await clock.advance(2);
    await send('search');
    expect(server.accepted()).toBe(2);
  });

  it('that was returned last is used first', async () => {
    const ports: (number | undefined)[] = [];
    const { clock, send } = await opened((socket) => {
      ports.push(socket.remotePort);
      socket.write(answerText(200, '{}'));
    });
    await send('search');
    await clock.advance(1);
    await send('search');
    await clock.advance(2);
    await send('search');
    expect(ports[2]).toBe(ports[1]);
    expect(ports[2]).not.toBe(ports[0]);
  });

  it('that the platform closes is removed at once', async () => {
    const { server, clock, send } = await opened(answering(200, '{}'), { connectionsMax: 1 });
    await send('search');
    await server.endConnections();
    await clock.advance(2);
    expect((await send('tutor')).status).toBe(200);
    expect(server.accepted()).toBe(2);
  });

  it('of another app is evicted where the limit is reached', async () => {
    const { server, clock, send } = await opened(answering(200, '{}'), { connectionsMax: 2 });
    for (const app of ['search', 'tutor', 'coder']) {
      expect((await send(app)).status).toBe(200);
      await clock.advance(2);
    }
    expect((await send('tutor')).status).toBe(200);
    expect(server.accepted()).toBe(3);
  });
});

describe('of the free ones', () => {
  /** A server whose open connections are counted. */
  async function crowd() {
    let open = 0;
    const held: (() => void)[] = [];
    const server = await openServer(
      (socket) => void held.push(() => socket.write(answerText(200, '{}'))),
      (socket) => {
        open += 1;
        socket.on('close', () => {
          open -= 1;
        });
      },
    );
    const clock = createTestClock();
    const transport = openTransport({ baseUrl: server.url, clock });
    return { clock, at, open: () => open };

    /** That many calls of each app, all at once. */
    async function at(count: number, apps: readonly string[]) {
      const sends = apps.flatMap((app) =>
        times(count, () => answerOf(transport.send({ ...requestWith(anyTime()), app }))),
      );
      await until(() => held.length === count * apps.length);
      for (const answer of held.splice(0)) answer();
      await Promise.all(sends);
    }
  }

  it('an app keeps 8, if nobody has used the others for 500 ms', async () => {
    const { clock, at, open } = await crowd();
    await at(50, ['search', 'tutor']);
    expect(open()).toBe(100);
    await clock.advance(499);
    await at(50, ['search', 'tutor']);
    expect(open()).toBe(100);
    await clock.advance(1_000);
    await until(() => open() === 16);
  });

  it('all apps together keep 512', async () => {
    const { clock, at, open } = await crowd();
    const apps = times(70, (index) => `app-${index}`);
    for (let first = 0; first < apps.length; first += 10) {
      await at(8, apps.slice(first, first + 10));
      await clock.advance(2);
    }
    await until(() => open() === 512);
  });
});

describe('bytes on an idle connection', () => {
  const copy = answerText(200, '{"of":"another"}');
  const farewell = answerText(408, '', { connection: 'close' });

  /** Two idle connections of two apps, one of which gets these bytes. */
  async function unsolicited(bytes: string) {
    let say = (_bytes: string) => {};
    const { server, clock, onUnsolicited, send } = await opened((socket) => {
      say = (more) => void socket.write(more);
      socket.write(answerText(200, '{}'));
    });
    await send('tutor');
    await send('search');
    await clock.advance(2);
    say(bytes);
    return { server, onUnsolicited, send };
  }

  it.each([
    ['a second answer', copy],
    ['what is no HTTP', 'garbage\r\n\r\n'],
    ['one byte', 'H'],
    ['a 408 that does not close', answerText(408, '')],
  ])('%s end all of the platform, and are counted', async (_, bytes) => {
    const { server, onUnsolicited, send } = await unsolicited(bytes);
    await server.noConnections();
    expect(onUnsolicited).toHaveBeenCalledTimes(1);
    expect((await send('tutor')).body.toString()).toBe('{}');
    expect((await send('search')).body.toString()).toBe('{}');
    expect(server.accepted()).toBe(4);
  });

  it('a 408 with a close ends only its own', async () => {
    const { server, onUnsolicited, send } = await unsolicited(farewell);
    await until(() => server.open() === 1);
    await send('tutor');
    expect(server.accepted()).toBe(2);
    expect(onUnsolicited).not.toHaveBeenCalled();
  });

  it.each([
    ['a second answer', copy],
    ['garbage', 'and more'],
  ])('%s right behind the response are counted too', async (_, bytes) => {
    const { server, onUnsolicited, send } = await opened((socket) => {
      socket.write(answerText(200, '{}') + bytes);
    });
    expect((await send('search')).body.toString()).toBe('{}');
    await server.noConnections();
    await until(() => onUnsolicited.mock.calls.length === 1);
  });
});

describe('a platform that answers twice', () => {
  const random = (() => {
    let seed = 7;
    return () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
  })();
  const later = (ms: number, run: () => void) => void pause(ms).then(run);
  const ways: readonly (readonly [string, () => Script])[] = [
    ['1 ms later', () => twice((copy) => later(1, copy))],
    ['0 to 30 ms later', () => twice((copy) => later(random() * 30, copy))],
    ['with the next request', withNext],
  ];

  /** Repeats each request's text, and repeats it again. */
  function twice(again: (copy: () => void) => void): Script {
    return (socket, { body }) => {
      const text = answerText(200, body);
      socket.write(text);
      again(() => void (socket.destroyed || socket.write(text)));
    };
  }

  function withNext(): Script {
    const before = new WeakMap<object, string>();
    return (socket, { body }) => {
      const text = answerText(200, body);
      socket.write((before.get(socket) ?? '') || text);
      before.set(socket, text);
    };
  }

  it.each(ways)('%s never answers another app', async (_, script) => {
    const server = await openServer(script());
    const transport = openTransport({ baseUrl: server.url });
    const apps = ['search', 'tutor', 'coder'];
    let foreign = 0;
    let answered = 0;
    const caller = async (app: string) => {
      for (let call = 0; call < 60; call++) {
        const body = JSON.stringify({ app, nonce: `${app}-${call}-${random()}` });
        const sent = transport.send({ ...requestWith(anyTime()), app, body });
        const response = await sent;
        if (isFailure(response)) continue;
        answered += 1;
        if (JSON.parse(response.body.toString()).app !== app) foreign += 1;
        if (call % 3 === 0) await setImmediate();
      }
    };
    await Promise.all(apps.flatMap((app) => [caller(app), caller(app)]));
    expect(answered).toBeGreaterThan(100);
    expect(foreign).toBe(0);
  });
});
