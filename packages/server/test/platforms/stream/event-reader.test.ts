import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusals } from '../../../src/platforms/http/transport.ts';
import { EventReader, eventBytesMax } from '../../../src/platforms/wires/stream/event-reader.ts';
import { cutsOf, splitAt } from '../support/cuts.ts';

/** The events that a reader emits for pieces; an end means that the bytes ended. */
function eventsOf(pieces: readonly Buffer[], isEnded = true): readonly unknown[] {
  const events: unknown[] = [];
  const reader = new EventReader({
    onEvent: (data, name) => void events.push([name, data.toString()]),
    onComment: () => void events.push('comment'),
  });
  for (const piece of pieces) {
    const reading = reader.read(piece);
    if (reading !== undefined) return [...events, reading];
  }
  if (isEnded) reader.end();
  return events;
}

const read = (text: string) => eventsOf([Buffer.from(text)], false);

describe('events', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
    ['all three', 'data: a\r\n\ndata: b\n\r\n\r'],
  ])('end lines with %s', (_, text) => {
    expect(read(text)).toEqual([
      ['', 'a'],
      ['', 'b'],
    ]);
  });

  it('have names, each for only one event', () => {
    const named = 'event: error\ndata: a\n\ndata: b\n\nevent: ping\n\ndata: c\n\n';
    expect(read(named)).toEqual([
      ['error', 'a'],
      ['', 'b'],
      ['', 'c'],
    ]);
  });

  it('may have several lines of data, none with a value, and other fields', () => {
    const text =
      'id: 7\nretry: 10\ndata:a\ndata\ndata:  b\nodd\ndat: x\ndatas: x\nmeta: x\n\ndata:\n\n';
    expect(read(text)).toEqual([
      ['', 'a\n\n b'],
      ['', ''],
    ]);
  });

  it('may be JSON without a field, over several lines', () => {
    const error = '{\n  "error": {\n    "code": 503\n  }\n}';
    expect(read(`data: a\n\n${error}\n\ndata: b\n\n`)).toEqual([
      ['', 'a'],
      ['', error],
      ['', 'b'],
    ]);
    expect(read(`data: {}\n${error}\ndata: [1]\n\n`)).toEqual([
      ['', '{}'],
      ['', error],
      ['', '[1]'],
    ]);
    expect(eventsOf([Buffer.from(`data: a\n\n[${error}]\n`)])).toEqual([
      ['', 'a'],
      ['', `[${error}]`],
    ]);
  });

  it('are not lines that only look like JSON', () => {
    expect(read('[ping]\n\n{\ndata: a\n\ndata: b\n[x]\n{\n\n')).toEqual([
      ['', 'a'],
      ['', 'b'],
    ]);
  });

  it('come between comments, and behind a byte order mark', () => {
    expect(read('\u{feff}data: a\n: ping\n\n:\n\ndata: \u{feff}b\n\n')).toEqual([
      'comment',
      ['', 'a'],
      'comment',
      ['', '\u{feff}b'],
    ]);
  });

  it('are complete without an empty line only if the stream has ended', () => {
    const bytes = [Buffer.from('data: a\n\ndata: b\ndata: c')];
    expect(eventsOf(bytes, false)).toEqual([['', 'a']]);
    expect(eventsOf(bytes)).toEqual([
      ['', 'a'],
      ['', 'b\nc'],
    ]);
  });

  it('end where the listener has enough', () => {
    const events: string[] = [];
    const reader = new EventReader({
      onEvent: (data) => (events.push(data.toString()) < 2 ? undefined : 'end'),
      onComment: () => undefined,
    });
    expect(reader.read(Buffer.from('data: a\n\ndata: b\n\ndata: c\n\n'))).toBe('end');
    expect(events).toEqual(['a', 'b']);
  });
});

describe('the maximum of one event', () => {
  const most = 'x'.repeat(eventBytesMax);
  const piecesOf = (text: string) =>
    Array.from({ length: Math.ceil(text.length / 65_536) }, (_, index) =>
      Buffer.from(text.slice(index * 65_536, (index + 1) * 65_536)),
    );

  it('is 1 MiB, and events are counted apart', () => {
    const text = `data:${most.slice(5)}\n\n`.repeat(3);
    expect(eventsOf(piecesOf(text))).toHaveLength(3);
  });

  it.each([
    ['one line', `data:${most}xxxxx\n\n`],
    ['a line without an end', `data:${most}`],
    ['a comment', `:${most}\n`],
    ['lines', `data:${'x'.repeat(1_000)}\n`.repeat(1_100)],
    ['empty lines of data', 'data\n'.repeat(20_000)],
  ])('is respected by %s', (_, text) => {
    expect(eventsOf(piecesOf(text)).at(-1)).toBe(refusals.tooLarge);
    expect(eventsOf([Buffer.from(text)]).at(-1)).toBe(refusals.tooLarge);
  });
});

const part = fc.constantFrom(
  ...['data: ', 'data:', 'data', 'event: error', ': ping', '\n', '\r', '\r\n', '\n\n', ':', ' '],
  ...['é🙂', '{"a":1}', '\u{feff}', '[DONE]', 'id: 1', '\0'],
);
const streams = fc.array(part, { maxLength: 40 }).map((parts) => Buffer.from(parts.join('')));

it('is the same however its bytes are cut', () => {
  fc.assert(
    fc.property(streams, cutsOf(200), (bytes, cuts) => {
      const whole = eventsOf([bytes]);
      expect(eventsOf(splitAt(bytes, cuts))).toEqual(whole);
      expect(eventsOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
    }),
  );
});
