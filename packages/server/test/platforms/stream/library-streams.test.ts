import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../../../harness/until.ts';
import { nextTurn } from '../../../src/lib/clock.ts';
import type { Flow } from '../../../src/platforms/http/flow.ts';
import type { AttemptStream, Platform } from '../../../src/platforms/model/port.ts';
import { healthSignalOf } from '../../../src/platforms/outage/circuit.ts';
import { chatSubject } from '../support/chat-completion.ts';
import { createFollower } from '../support/follow-attempt.ts';
import { aiSdkSubject } from '../support/kinds.ts';
import { answering, type Script, startScriptedServer } from '../support/scripted-server.ts';
import { bytesOf, byUnits, type WireEvent } from '../support/stream-events.ts';
import { attemptOn, modelRow } from '../support/try-platform.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const toolCalls = [{ name: 'weather', arguments: '{"city":"Ulm"}' }];
const answer = aiSdkSubject.answer({ text: 'Hé 🙂', toolCalls, finish: 'tool-calls' });
// The package rejects a chunk without a choice, which the platform does not send.
const events = chatSubject.events(answer, byUnits).flatMap(({ data }): readonly WireEvent[] => {
  if (typeof data === 'string') return [{ data }];
  const { choices, usage } = data;
  if (Array.isArray(choices) && choices.length > 0)
    return [{ data: { ...data, usage: undefined } }];
  return [{ data: { ...data, choices: [{ index: 0, delta: {} }], usage } }];
});

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: req_1\r\n';
const chunkOf = (bytes: Buffer) => `${bytes.length.toString(16)}\r\n${bytes.toString()}\r\n`;

/** Writes events, each as a chunk; then does the given action. */
function writing(told: readonly WireEvent[], then: (socket: Socket) => void): Script {
  return (socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    for (const event of told) socket.write(chunkOf(bytesOf([event])));
    then(socket);
  };
}

const ending = (socket: Socket) => void socket.write('0\r\n\r\n');

async function platformAt(script: Script): Promise<Platform> {
  const server = await startScriptedServer(script);
  const platform = aiSdkSubject.platformAt(server.url);
  opened.push(platform, server);
  return platform;
}

async function follow(script: Script, stream?: Partial<AttemptStream>, signal?: AbortSignal) {
  const platform = await platformAt(script);
  const followed = createFollower();
  const outcome = await attemptOn(platform, {
    stream: { ...followed.stream, ...stream },
    ...(signal && { signal }),
  });
  return { ...followed, outcome, platform };
}

const broken = { kind: 'failed', code: 'SERVER', billed: 'unknown', broke: true, status: 200 };

describe('a package’s stream', () => {
  it('has the same result as its complete response', async () => {
    const { outcome, deltas, platform } = await follow(writing(events, ending));
    const whole = await attemptOn(
      await platformAt(answering(200, JSON.stringify(answer), { 'x-request-id': 'req_1' })),
    );
    expect(platform.model(modelRow('test-model')).streams).toBe(true);
    expect(outcome).toEqual(whole);
    expect(outcome).toMatchObject({ kind: 'answered', usage: { inputTokens: 19 } });
    const text = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
    expect(text).toBe('Hé 🙂');
    expect(deltas.at(-1)).toMatchObject({ type: 'tool-call', input: '{"city":"Ulm"}' });
  });

  it('is reported as it arrives, and ends with its last event', async () => {
    const sockets: Socket[] = [];
    const left = [...events];
    const write = () => {
      const event = left.shift();
      if (event !== undefined) sockets[0]?.write(chunkOf(bytesOf([event])));
    };
    // The next one is written only once the previous one was received; the bytes never end.
    const { outcome, events: signs } = await follow(
      (socket) => {
        sockets.push(socket);
        socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
        write();
      },
      { onEvent: write },
    );
    expect(outcome).toMatchObject({ kind: 'answered', finish: 'tool-calls' });
    expect([signs, left]).toEqual([0, []]);
  });

  it.each(events.slice(0, -3).map((_, count) => count))(
    'that is lost after %i events broke',
    async (count) => {
      const script = writing(events.slice(0, count), (socket) =>
        setImmediate(() => socket.destroy()),
      );
      const { outcome, deltas } = await follow(script);
      expect(outcome).toMatchObject({ ...broken, isRetryable: deltas.length === 0 });
      expect(healthSignalOf(outcome, false)).toBe('failure');
      expect(deltas.filter(({ type }) => type === 'tool-call')).toEqual([]);
    },
  );

  it('that ends without a finish reason broke', async () => {
    const { outcome } = await follow(writing(events.slice(0, 5), ending));
    expect(outcome).toMatchObject({ ...broken, isRetryable: false });
  });

  it('with a foreign event broke', async () => {
    const odd = { data: { error: { message: 'the account 123456789012 is empty' } } };
    const { outcome } = await follow(writing([...events.slice(0, 5), odd], ending));
    expect(outcome).toMatchObject({ ...broken, isRetryable: false });
    expect(JSON.stringify(outcome)).not.toContain('123456789012');
  });

  it.each([
    ['of too many levels', '['.repeat(500_000), 'ANSWER_TOO_INTRICATE'],
    ['with a long number', `{"a":${'1'.repeat(401)}}`, 'ANSWER_TOO_INTRICATE'],
    ['above 1 MiB', 'x'.repeat(1_100_000), 'ANSWER_TOO_LARGE'],
  ])('with an event %s never reaches the package', async (_, data, code) => {
    const { outcome } = await follow(writing([...events.slice(0, 5), { data }], ending));
    expect(outcome).toMatchObject({ ...broken, detail: expect.stringContaining(code) });
  });

  it('can be canceled, even while it is paused', async () => {
    const controller = new AbortController();
    let flow: Flow | undefined;
    const { outcome, deltas } = await follow(
      writing(events.slice(0, 5), () => undefined),
      {
        onFlow(given) {
          flow = given;
        },
        onDelta() {
          flow?.pause();
          setImmediate(() => controller.abort());
        },
      },
      controller.signal,
    );
    expect(outcome).toMatchObject({ ...broken, wasHeldBack: true, isRetryable: false });
    expect(outcome).toHaveProperty('detail', expect.stringContaining('ABORTED'));
    expect(deltas).toEqual([]);
  });
});

it('a rejected stream request stays rejected, and JSON in its place is unusable', async () => {
  const json = { 'content-type': 'application/json' };
  const refused = await follow(answering(429, '{"message":"slow down"}', json));
  expect(refused.outcome).toMatchObject({ code: 'THROTTLED', billed: 'no', isRetryable: true });
  const whole = await follow(answering(200, JSON.stringify(answer), json));
  expect(whole.outcome).toMatchObject({ kind: 'failed', billed: 'unknown', isRetryable: false });
});

it('a package’s paused stream is not read', async () => {
  const text = 'x'.repeat(60_000);
  const delta = { data: { choices: [{ index: 0, delta: { content: text } }] } };
  const pieces = 1_500;
  let written = 0;
  const script: Script = (socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    const chunk = chunkOf(bytesOf([delta]));
    const write = () => {
      while (!socket.destroyed && written < pieces && socket.write(chunk)) written += 1;
      socket.once('drain', write);
    };
    write();
  };
  const controller = new AbortController();
  const flows: Flow[] = [];
  let deltas = 0;
  const followed = follow(
    script,
    {
      onFlow: (flow) => void flows.push(flow),
      onDelta() {
        deltas += 1;
        for (const flow of flows) flow.pause();
      },
    },
    controller.signal,
  );
  await until(() => deltas > 0);
  for (let before = -1; before !== written; ) {
    before = written;
    for (let turn = 0; turn < 200; turn++) await nextTurn();
  }
  expect(deltas).toBeLessThan(10);
  expect(written).toBeLessThan(pieces);
  controller.abort();
  expect((await followed).outcome).toMatchObject({ kind: 'failed', wasHeldBack: true });
});
