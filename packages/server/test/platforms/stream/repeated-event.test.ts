import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRecord } from '../../../src/lib/json-value.ts';
import { RepeatedEvent } from '../../../src/platforms/wires/stream/repeated-event.ts';

/** Reads an event as a stream does: parsed unless it repeats. */
function readWith(repeated: RepeatedEvent, data: Buffer): { value: unknown; isParsed: boolean } {
  const read = repeated.read(data);
  if (read !== undefined) return { value: structuredClone(read), isParsed: false };
  const value: unknown = JSON.parse(data.toString());
  if (isRecord(value)) repeated.learn(data);
  return { value, isParsed: true };
}

function parsedOf(events: readonly string[]): number {
  const repeated = new RepeatedEvent();
  let parsed = 0;
  for (const event of events) {
    const data = Buffer.from(event);
    const { value, isParsed } = readWith(repeated, data);
    expect(value, event).toEqual(JSON.parse(data.toString()));
    if (isParsed) parsed += 1;
  }
  return parsed;
}

const words = [
  'A',
  ' word',
  '',
  ' of ünïcode 🙂',
  ' "quoted"',
  '\\',
  'line\n',
  ' on',
  ' and',
  ' on',
];

function chunk(content: string, more = ''): string {
  return `{"id":"c-1","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]${more}}`;
}

test('of events that differ in one text all but two are read without parsing', () => {
  const texts = Array.from({ length: 100 }, (_, index) => ` word ${index}`);
  expect(parsedOf(texts.map((text) => chunk(text)))).toBe(2);
  const delta = (text: string) =>
    `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}`;
  expect(parsedOf(texts.map(delta))).toBe(2);
});

test('texts with JSON escapes are parsed', () => {
  expect(parsedOf([chunk('a'), chunk('b'), ...words.map((word) => chunk(word))])).toBe(5);
});

test('events of two changing texts are compared a few times, and then no more', () => {
  const events = Array.from({ length: 50 }, (_, at) => chunk(` ${at}`, `,"padding":"${at * 7}"`));
  expect(parsedOf(events)).toBe(50);
  const repeated = new RepeatedEvent();
  for (const event of events) readWith(repeated, Buffer.from(event));
  const tail = ['x', 'y', 'z'].map((text) => Buffer.from(chunk(text)));
  expect(tail.map((data) => readWith(repeated, data).isParsed)).toEqual([true, true, true]);
});

test('nothing that only looks like the text is read as the text', () => {
  const mark = 'the text of a delta';
  const escaped = '"\\u0074he text of a delta"';
  const events = [
    // A key that changes; a number; an escaped quote before the change; the placeholder's own text.
    ...['{"a":"x","b":1}', '{"c":"x","b":1}', '{"d":"x","b":2}', '{"d":"x","b":3}'],
    ...['{"t":"a\\"b"}', '{"t":"a\\"c"}', '{"t":"a\\"d"}', '{"t":"a\\\\"}', '{"t":"a"}'],
    ...[`{"m":"${mark}","t":"a"}`, `{"m":"${mark}","t":"b"}`, `{"m":"${mark}","t":"c"}`],
    ...[`{"m":${escaped},"t":"a"}`, `{"m":${escaped},"t":"b"}`, `{"m":${escaped},"t":"c"}`],
    ...['{"t":"a","t":"x"}', '{"t":"b","t":"x"}', '{"t":"c","t":"x"}'],
    ...['{"t":null}', '{"t":"a"}', '{"t":"ab"}', '{"t":"a"}', '{"t":""}', '{"t":["a"]}'],
    ...['{"__proto__":"a"}', '{"__proto__":"b"}', '{"__proto__":"c"}'],
  ];
  parsedOf(events);
  for (const at of events.keys()) parsedOf([...events.slice(at), ...events.slice(0, at)]);
});

test('the result always equals a parser’s', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom(...words));
  const form = fc.constantFrom<(one: string, other: string) => string>(
    (one) => chunk(one),
    (one, other) => chunk(one, `,"other":${JSON.stringify(other)}`),
    (one) => `{ "delta" : ${JSON.stringify(one)} }`,
    (one, other) => `{${JSON.stringify(one)}:${JSON.stringify(other)}}`,
    (one, other) => JSON.stringify([{ one }, other]),
    (one, other) => JSON.stringify({ list: [other, { one: [one] }] }),
  );
  const stream = fc.array(fc.tuple(form, text, text), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(stream, fc.boolean(), (events, isOneForm) => {
      const [first] = events[0] ?? [];
      parsedOf(events.map(([of, one, other]) => (isOneForm ? (first ?? of) : of)(one, other)));
    }),
    { numRuns: 2_000 },
  );
});
