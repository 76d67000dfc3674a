import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CarriedOutput } from '../../../src/domain/carry.ts';
import { fieldOf, isRecord } from '../../../src/lib/json-value.ts';
import type { Delta } from '../../../src/platforms/model/content.ts';
import type { AttemptOutcome } from '../../../src/platforms/model/port.ts';
import type { Answer } from '../../../src/platforms/wires/codec/surface-codec.ts';
import { chatAnswers } from '../support/chat-answers.ts';
import { chatSubject } from '../support/chat-completion.ts';
import { cutsOf, splitAt } from '../support/cuts.ts';
import { attemptWhole, followAttempt } from '../support/follow-attempt.ts';
import { bytesOf, byUnits, type Cut } from '../support/stream-events.ts';
import { surfaces } from '../support/surfaces.ts';
import { smallRequest } from '../support/try-platform.ts';

const textIn = (parts: readonly Delta[], type: Delta['type']) =>
  parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');

/** The emitted content must equal the outcome. */
function expectTold(deltas: readonly Delta[], outcome: AttemptOutcome) {
  const content = outcome.kind === 'answered' ? outcome.content : [];
  // Half a code point at the very end is never shown: the last event has it.
  const shown = textIn(content, 'text').replace(/[\ud800-\udbff]$/, '');
  expect(textIn(deltas, 'text')).toBe(shown);
  expect(deltas.filter(({ type }) => type === 'tool-call')).toEqual(
    content.filter(({ type }) => type === 'tool-call'),
  );
  expect(callsIn(deltas)).toEqual(
    content.flatMap((part) =>
      part.type === 'tool-call'
        ? [{ id: part.toolCallId, name: part.toolName, value: jsonOf(part.input) }]
        : [],
    ),
  );
  // Pieces of a tool call are not shown, and may contain any text that its platform escaped.
  for (const delta of deltas)
    if (delta.type === 'text' || delta.type === 'reasoning')
      expect(delta.text).not.toMatch(/[\ud800-\udbff]$/);
}

/** The tool calls that the pieces form: the JSON format is the platform's. */
function callsIn(deltas: readonly Delta[]) {
  const calls: { id: string | undefined; name: string; text: string }[] = [];
  for (const delta of deltas) {
    if (delta.type !== 'tool-input') continue;
    const known = calls[delta.index] ?? { id: undefined, name: '', text: '' };
    const { toolCallId: id = known.id, toolName: name = known.name } = delta;
    calls[delta.index] = { id, name, text: known.text + delta.text };
  }
  return calls.map(({ id, name, text }) => ({ id, name, value: jsonOf(text) }));
}

function jsonOf(input: string): unknown {
  try {
    return JSON.parse(input || '{}');
  } catch {
    return input;
  }
}

const words = fc.string({ unit: 'binary', maxLength: 30 });
const call = fc.record({
  name: fc.constantFrom('weather', 'done'),
  arguments: fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.constant('{}'),
  ),
});
const said = fc.record(
  {
    text: words,
    toolCalls: fc.array(call, { maxLength: 3 }),
    finish: fc.constantFrom('stop', 'length', 'content-filter', 'tool-calls'),
    usage: fc.record({ input: fc.nat(), output: fc.nat() }),
  },
  { requiredKeys: [] },
);
const cut: fc.Arbitrary<Cut> = fc.nat({ max: 7 }).map((length) => (text) => {
  if (length === 0) return [text];
  return text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
});

describe.each(surfaces)('a stream of $name', (subject) => {
  it('has the same result as the same complete response', async () => {
    await fc.assert(
      fc.asyncProperty(said, cut, async (what, pieces) => {
        const answer = JSON.parse(JSON.stringify(subject.answer(what)));
        const bytes = bytesOf(subject.events(answer, pieces));
        const { outcome, deltas } = await followAttempt(subject, { pieces: [bytes] });
        expect(outcome).toEqual(await attemptWhole(subject, answer));
        expect(outcome.kind).toBe('answered');
        expectTold(deltas, outcome);
      }),
    );
  });

  it('is the same however its bytes are cut', async () => {
    const bytesMax = 6_000;
    await fc.assert(
      fc.asyncProperty(said, cutsOf(bytesMax), async (what, cuts) => {
        const bytes = bytesOf(subject.events(subject.answer(what), byUnits));
        const whole = await followAttempt(subject, { pieces: [bytes] });
        const inPieces = await followAttempt(subject, { pieces: splitAt(bytes, cuts) });
        expect(inPieces).toEqual({ ...whole, stream: inPieces.stream });
      }),
      { numRuns: 50 },
    );
  });

  it('is the same in pieces of a byte, with CRLF, and between comments', async () => {
    const events = subject.events(subject.answer({ text: 'Grüße 🙂' }), byUnits);
    const text = bytesOf(events).toString();
    const { outcome, deltas } = await followAttempt(subject, { pieces: [Buffer.from(text)] });
    const others = [text.replaceAll('\n', '\r\n'), text.replaceAll('\n\n', '\n\n: ping\n\n')];
    for (const other of [text, ...others]) {
      const pieces = [...Buffer.from(other)].map((byte) => Buffer.from([byte]));
      const inPieces = await followAttempt(subject, { pieces });
      expect([inPieces.outcome, inPieces.deltas]).toEqual([outcome, deltas]);
    }
    const commented = await followAttempt(subject, { pieces: [Buffer.from(others[1] ?? '')] });
    // The last event ends it, so nobody reads the bytes behind it.
    expect(commented.events).toBe(events.length * 2 - 1);
  });

  it.each(['chat', 'object', 'object-by-tool', 'agent'])('of one canonical %s', async (name) => {
    const answer = golden(`${name}.${subject.name}.answer`);
    const request = name === 'object' ? { ...smallRequest, json: { schema: {} } } : smallRequest;
    const bytes = bytesOf(subject.events(answer, byUnits));
    const { outcome, deltas } = await followAttempt(subject, { pieces: [bytes] }, request);
    const canonical = golden(`${name}.outcome`);
    expect({ ...outcome, finishRaw: undefined, requestId: 'req_1' }).toEqual(canonical);
    expectTold(deltas, outcome);
  });
});

/** Its entire text is half a code point. */
const loneHalf: Answer = {
  choices: [{ index: 0, message: { role: 'assistant', content: '\ud800' }, finish_reason: 'stop' }],
};

it('chat completions of every shape are equal, complete and in chunks', async () => {
  await fc.assert(
    fc.asyncProperty(chatAnswers, cut, async (answer, pieces) => {
      const whole = await attemptWhole(chatSubject, answer);
      fc.pre(whole.kind === 'answered' && whole.finishRaw !== undefined);
      fc.pre(areApart(callsOf(answer)));
      const bytes = bytesOf(chatSubject.events(answer, pieces));
      const { outcome, deltas } = await followAttempt(chatSubject, { pieces: [bytes] });
      expect(merged(outcome)).toEqual(merged(whole));
      expectTold(deltas, outcome);
    }),
    { numRuns: 500, examples: [[loneHalf, byUnits]] },
  );
});

/** Whether pieces of these calls show that each is another one: a later one has a name. */
function areApart(calls: readonly { readonly id: unknown; readonly name: unknown }[]): boolean {
  const ids = calls.map(({ id }) => id).filter((id) => typeof id === 'string' && id !== '');
  const hasNames = calls.every(({ name }) => typeof name === 'string' && name !== '');
  return hasNames && new Set(ids).size === ids.length;
}

function callsOf({ choices }: Answer) {
  const choice: unknown = Array.isArray(choices) ? choices.find(isRecord) : undefined;
  const calls = fieldOf(fieldOf(choice, 'message'), 'tool_calls');
  return Array.isArray(calls)
    ? calls.map((call) => ({
        id: fieldOf(call, 'id'),
        name: fieldOf(fieldOf(call, 'function'), 'name'),
      }))
    : [];
}

/** Consecutive texts are one text in chunks. */
function merged(outcome: AttemptOutcome): unknown {
  if (outcome.kind === 'failed') return outcome;
  const text = (type: Delta['type']) => textIn(outcome.content, type);
  const calls = outcome.content.filter(({ type }) => type === 'tool-call');
  const content = [text('reasoning'), text('text'), calls];
  return { ...outcome, content, carried: carriedTexts(outcome.carried) };
}

/** Chunks have one name for reasoning, and no piece with an empty text. */
function carriedTexts({ message = {}, calls = [] }: Partial<CarriedOutput> = {}): unknown {
  const isText = ([, value]: [string, unknown]) => typeof value === 'string';
  const fields = Object.entries(message);
  const texts = fields.filter(isText).map(([, value]) => value);
  return [texts.join(''), Object.fromEntries(fields.filter((field) => !isText(field))), calls];
}

function golden(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8'));
}
