import { describe, expect, it } from 'vitest';
import type { AttemptOutcome } from '../../../src/platforms/model/port.ts';
import { healthSignalOf } from '../../../src/platforms/outage/circuit.ts';
import { type Coming, createFollower, followAttempt, partsOf } from '../support/follow-attempt.ts';
import { bytesOf, byUnits, type WireEvent } from '../support/stream-events.ts';
import type { SurfaceSubject } from '../support/surface-subject.ts';
import { surfaces } from '../support/surfaces.ts';
import { smallRequest } from '../support/try-platform.ts';

const toolCalls = [{ name: 'weather', arguments: '{"city":"Ulm"}' }];
const broken = { kind: 'failed', code: 'SERVER', billed: 'unknown', broke: true, status: 200 };

function eventsOf(subject: SurfaceSubject): readonly WireEvent[] {
  return subject.events(subject.answer({ text: 'Hé 🙂', toolCalls }), byUnits);
}

/** The number of events before nothing is missing, if the bytes end properly then. */
const enough: Readonly<Record<string, (events: readonly WireEvent[]) => number>> = {
  // The finish reason is in the third last chunk; counts, and the end, are optional.
  'openai-chat': ({ length }) => length - 2,
  'openai-responses': ({ length }) => length,
  'anthropic-messages': ({ length }) => length - 1,
};

describe.each(surfaces)('a stream of $name', (subject) => {
  const events = eventsOf(subject);
  const every = events.map((_, count) => count);
  const comingOf = (count: number, rest: Omit<Coming, 'pieces'> = {}) => ({
    pieces: [bytesOf(events.slice(0, count))],
    ...rest,
  });

  it.each(every)('that is lost after %i events broke', async (count) => {
    const coming = comingOf(count, { lostWith: 'ECONNRESET' });
    const { outcome, deltas } = await followAttempt(subject, coming);
    expect(outcome).toMatchObject({ ...broken, isRetryable: deltas.length === 0 });
    expect(outcome).toHaveProperty('detail', 'sent, ECONNRESET: gone');
    expect(healthSignalOf(outcome, false)).toBe('failure');
    expect(deltas.filter(({ type }) => type === 'tool-call')).toEqual([]);
  });

  it.each(every)(
    'that ends after %i events is complete only with its finish reason',
    async (count) => {
      const { outcome, deltas } = await followAttempt(subject, comingOf(count));
      const isWhole = count >= (enough[subject.name]?.(events) ?? 0);
      expect(outcome).toMatchObject(
        isWhole ? { kind: 'answered' } : { ...broken, isRetryable: deltas.length === 0 },
      );
    },
  );

  it('that breaks within an event has not received it', async () => {
    const bytes = bytesOf(events);
    const at = bytes.length - bytesOf(events.slice(-3)).length - 5;
    const pieces = [bytes.subarray(0, at)];
    const { outcome } = await followAttempt(subject, { pieces });
    expect(outcome).toMatchObject(broken);
  });

  it('reports the counts that had arrived', async () => {
    const stated = async (count: number) => {
      const { outcome } = await followAttempt(subject, comingOf(count, { lostWith: 'GONE' }));
      return outcome.usage;
    };
    expect(await stated(0)).toBe(undefined);
    const last = await stated(events.length - 1);
    if (subject.name === 'openai-responses') expect(last).toBe(undefined);
    else expect(last).toMatchObject({ inputTokens: 19, outputTokens: 10 });
    const early = subject.name === 'anthropic-messages' ? { inputTokens: 19 } : undefined;
    const first = await stated(3);
    if (early === undefined) expect(first).toBe(undefined);
    else expect(first).toMatchObject(early);
  });

  it.each<[string, (data: string) => string]>([
    ['no JSON', () => 'oh'],
    ['no object', () => '[1]'],
    ['an event that is cut', (data) => data.slice(0, -1)],
    ['an event of too many levels', () => `{"a":${'['.repeat(500_000)}`],
    ['an event with a long number', (data) => `{"a":${'1'.repeat(401)},${data.slice(1)}`],
    ['an event above 1 MiB', (data) => data + ' '.repeat(1_048_576)],
  ])('with %s in it is abandoned', async (_, change) => {
    const changed = events.map((event, index) => {
      if (index !== 4) return event;
      return { ...event, data: change(JSON.stringify(event.data)) };
    });
    const { outcome, deltas } = await followAttempt(subject, { pieces: [bytesOf(changed)] });
    expect(outcome).toMatchObject({ ...broken, isRetryable: false });
    const before = await followAttempt(subject, comingOf(4));
    expect(deltas).toEqual(before.deltas);
  });

  it('with 17 MiB of text is abandoned, and so is one with as many other bytes', async () => {
    const text = 'x'.repeat(500_000);
    const one = subject.events(subject.answer({ text: 'a' }), byUnits);
    const at = one.findIndex(({ data }) => /"(content|text|delta)":"a"/.test(JSON.stringify(data)));
    const piece = bytesOf(one.slice(at, at + 1))
      .toString()
      .replace(/"(content|text|delta)":"a"/, `"$1":"${text}"`);
    const pieces = [
      bytesOf(one.slice(0, at)),
      ...Array.from({ length: 36 }, () => Buffer.from(piece)),
    ];
    // Its request allows for more bytes around the text, and not for more text.
    const request = { ...smallRequest, maxTokens: 100_000 };
    const said = await followAttempt(subject, { pieces }, request);
    expect(said.outcome).toMatchObject({ ...broken, isRetryable: false });
    expect(said.deltas.filter((delta) => 'text' in delta && delta.text === text)).toHaveLength(34);
    const comment = Buffer.from(`: ${text}\n\n`);
    const wrote = await followAttempt(subject, {
      pieces: Array.from({ length: 36 }, () => comment),
    });
    expect(wrote.outcome).toHaveProperty('detail', expect.stringContaining('ANSWER_TOO_LARGE'));
    expect(wrote.outcome).toMatchObject(broken);
  });
});

it('a response whose last event repeats more than 1 MiB is abandoned at its end', async () => {
  const subject = surfaces.find(({ name }) => name === 'openai-responses');
  if (subject === undefined) throw new Error('responses are a surface');
  const text = 'x'.repeat(1_048_576);
  const events = subject.events(subject.answer({ text: 'a' }), byUnits);
  const repeated = events.map((event, index) => {
    if (index < events.length - 1) return event;
    return { ...event, data: JSON.stringify(event.data).replaceAll('"a"', `"${text}"`) };
  });
  const { outcome, deltas } = await followAttempt(subject, { pieces: [bytesOf(repeated)] });
  expect(deltas).toEqual([{ type: 'text', text: 'a' }]);
  // Its counts were in that event.
  expect(outcome).toMatchObject({ ...broken, isRetryable: false, usage: undefined });
  expect(outcome).toHaveProperty('detail', expect.stringContaining('ANSWER_TOO_LARGE'));
});

describe('an error within a stream', () => {
  const account = 'the account 123456789012 is over its limit';
  const refused = { code: 'SERVER', billed: 'no', isRetryable: true };
  const unnamed = { ...refused, billed: 'unknown', status: 502 };
  const rows: readonly (readonly [string, string, object, WireEvent])[] = [
    [
      'openai-chat',
      'server_error',
      { ...refused, status: 500 },
      { data: { error: { type: 'server_error', message: account } } },
    ],
    ['openai-chat', '', unnamed, { data: { error: account } }],
    ['openai-chat', '', unnamed, { name: 'error', data: { message: account } }],
    [
      'openai-chat',
      '500',
      { ...refused, status: 500 },
      { data: { object: 'error', code: 500, message: account } },
    ],
    [
      'anthropic-messages',
      'overloaded_error',
      { ...refused, status: 529 },
      { data: { type: 'error', error: { type: 'overloaded_error', message: account } } },
    ],
    [
      'openai-responses',
      'server_error',
      { ...refused, status: 500 },
      { data: { type: 'error', code: 'server_error', message: account } },
    ],
  ];

  it.each(rows)('of %s is its status, or its break: %s', async (name, code, asHttp, event) => {
    const subject = surfaces.find((one) => one.name === name);
    if (subject === undefined) throw new Error(name);
    const events = eventsOf(subject);
    const [first, ...others] = events;
    if (first === undefined) throw new Error('no events');
    const early = await followAttempt(subject, { pieces: [bytesOf([first, event, ...others])] });
    expect(early.deltas).toEqual([]);
    expect(early.outcome).toMatchObject({ kind: 'failed', ...asHttp });
    expect(early.outcome).not.toHaveProperty('broke');
    const late = await followAttempt(subject, {
      pieces: [bytesOf([...events.slice(0, -3), event])],
    });
    expect(late.outcome).toMatchObject({ ...broken, isRetryable: false });
    expect(late.outcome).toHaveProperty('detail', expect.stringContaining(code));
    // Messages of platforms name accounts.
    expect(JSON.stringify(late.outcome)).not.toContain('123456789012');
  });

  it('that lasts is not retried', async () => {
    for (const subject of surfaces) {
      const error = { type: 'invalid_request_error', code: 'content_policy', message: 'no' };
      const isFlat = subject.name === 'openai-responses';
      const event = { data: { ...(isFlat ? error : { error }), type: 'error' } };
      const { outcome } = await followAttempt(subject, { pieces: [bytesOf([event])] });
      // For a flat event the type is the event's, and the code names no status.
      const asHttp = isFlat
        ? { code: 'SERVER', billed: 'unknown', status: 502 }
        : { code: 'BAD_REQUEST', billed: 'no', status: 400 };
      expect(outcome).toMatchObject({ kind: 'failed', ...asHttp, isRetryable: false });
      expect(outcome).not.toHaveProperty('broke');
    }
  });

  it('that ends a response properly has its counts', async () => {
    const subject = surfaces.find(({ name }) => name === 'openai-responses');
    if (subject === undefined) throw new Error('no surface');
    const error = { code: 'server_error', message: account };
    const response = { ...subject.answer({}), status: 'failed', error };
    const bytes = bytesOf([{ data: { type: 'response.failed', response } }]);
    const { outcome } = await followAttempt(subject, { pieces: [bytes] });
    expect(outcome).toMatchObject({
      ...{ kind: 'failed', code: 'SERVER', billed: 'unknown', isRetryable: true },
      usage: { inputTokens: 19, outputTokens: 10 },
      detail: 'status 200, error 500 server_error',
    });
    expect(outcome).not.toHaveProperty('broke');
  });
});

describe('a response that is not a stream is read as usual', () => {
  it.each(surfaces)('a response of $name that arrives at once', async (subject) => {
    const pieces = [Buffer.from(JSON.stringify(subject.answer({})))];
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const { outcome, deltas } = await followAttempt(subject, {
      ...{ pieces, head: { status: 200, headers } },
    });
    expect(outcome).toMatchObject({ kind: 'answered', content: expect.any(Array) });
    expect(deltas).toEqual([]);
  });

  it.each(surfaces)('a rejection of $name', async (subject) => {
    const pieces = [Buffer.from('{"error":{"code":"rate_limit_exceeded"}}')];
    const headers = { 'content-type': 'text/event-stream' };
    const { outcome } = await followAttempt(subject, { pieces, head: { status: 429, headers } });
    expect(outcome).toMatchObject({ code: 'THROTTLED', billed: 'no', isRetryable: true });
    expect(outcome).not.toHaveProperty('broke');
  });
});

describe('a stream that breaks after a pause', () => {
  async function heldBack(isLetGo: boolean, more: readonly Buffer[]): Promise<AttemptOutcome> {
    const [subject] = surfaces;
    if (subject === undefined) throw new Error('no surfaces');
    const events = eventsOf(subject);
    const pieces = [bytesOf(events.slice(0, 3)), ...more];
    const followed = createFollower();
    const flows: { pause(): void; resume(): void }[] = [];
    const stream = {
      ...followed.stream,
      onFlow: (flow: { pause(): void; resume(): void }) => void flows.push(flow),
      onDelta() {
        for (const flow of flows) {
          flow.pause();
          if (isLetGo) flow.resume();
        }
        flows.length = 0;
      },
    };
    const model = subject.modelsOf(partsOf({ pieces, lostWith: 'ECONNRESET' }))('test-model');
    return model.attempt(smallRequest, { signal: new AbortController().signal, stream });
  }

  it.each([
    ['while it is', false, []],
    ['before its next event', true, []],
    ['while it is, whatever else came', false, [Buffer.from(': ping\n\n')]],
  ])('%s reports it, and does not count against the platform', async (_, isLetGo, more) => {
    const outcome = await heldBack(isLetGo, more);
    expect(outcome).toMatchObject({ ...broken, wasHeldBack: true });
    expect(healthSignalOf(outcome, false)).toBe('ignored');
  });

  it('and after its next event does', async () => {
    const outcome = await heldBack(true, [Buffer.from(': ping\n\n')]);
    expect(outcome).toMatchObject(broken);
    expect(outcome).not.toHaveProperty('wasHeldBack');
    expect(healthSignalOf(outcome, false)).toBe('failure');
  });
});
