import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ReadResult, refusals } from '../../src/platforms/http/transport.ts';
import { TurnedReader } from '../../src/platforms/wires/openai-embeddings/openai-embeddings.ts';
import { uncounted } from '../support/processor.ts';

/** A reader whose turns a test controls; `steps` is the sequence of its actions. */
function openReader(readingOf: (bytes: number) => ReadResult = () => undefined) {
  const steps: string[] = [];
  let begin: (() => void) | undefined;
  const turned = new TurnedReader(
    {
      read(chunk) {
        steps.push(`read ${chunk.length}`);
        return readingOf(chunk.length);
      },
    },
    { pause: () => steps.push('pause'), resume: () => steps.push('resume') },
    {
      ...uncounted,
      turn: () => new Promise((resolve) => (begin = resolve)),
      note: () => steps.push('end of turn'),
    },
  );
  const read = (bytes: number) => turned.read(Buffer.alloc(bytes));
  return { turned, read, steps, giveTurn: () => begin?.() };
}

test('the first bytes are read at once, later ones in a turn, in order', async () => {
  const { turned, read, steps, giveTurn } = openReader();
  for (const bytes of [16_000, 384, 8_192, 57_344, 5]) expect(read(bytes)).toBeUndefined();
  expect(steps).toEqual(['read 16000', 'read 384', 'pause', 'pause']);
  giveTurn();
  expect(await turned.last()).toBeUndefined();
  expect(steps.slice(4)).toEqual(['read 8192', 'read 57344', 'read 5', 'end of turn', 'resume']);
});

test('a response is not over while bytes of it are withheld', async () => {
  const { turned, read, giveTurn } = openReader();
  let isOver = false;
  read(16_385);
  const last = turned.last().then(() => (isOver = true));
  await nextTurn();
  expect(isOver).toBe(false);
  giveTurn();
  await last;
});

test('a rejection in a turn is reported at the next bytes, and at the end', async () => {
  const { turned, read, steps, giveTurn } = openReader((bytes) =>
    bytes === 20_000 ? refusals.tooLarge : undefined,
  );
  for (const bytes of [20_000, 7]) expect(read(bytes)).toBeUndefined();
  giveTurn();
  expect(await turned.last()).toBe(refusals.tooLarge);
  expect(read(8)).toBe(refusals.tooLarge);
  expect(steps).toEqual(['read 20000', 'end of turn', 'resume']);
});
