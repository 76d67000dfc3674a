import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openAiEmbeddings } from './upstream/further-surfaces.ts';
import { describeMatrix, faults, ofVectors } from './upstream/matrix.ts';
import { openAiChat } from './upstream/surfaces.ts';

/** A fault for each kind of row in the ledger. */
const names = [
  ...['refused', 'reset within the body', 'accepted, then silent', 'an answer after 26.1 s'],
  ...['503', '504', '429', '400', 'flapping, and perhaps billed once', '200, HTML'],
  ...['usage missing', 'usage above the hold', 'an unknown tool'],
  ...['a request id with NUL', 'a request id of a megabyte', 'a request id that is not ASCII'],
];
const chosen = faults.filter(({ name }) => names.includes(name));

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

test('every named fault is in the matrix', () => {
  expect(chosen).toHaveLength(names.length);
});

const there = { store: () => server.database() };

describe('texts', () =>
  describeMatrix({
    ...{ surface: openAiChat, operations: ['chat', 'objects', 'agents'], faults: chosen },
    ...there,
  }));

describe('embeddings', () =>
  describeMatrix({
    ...{ surface: openAiEmbeddings, operations: ['embeddings'], faults: ofVectors(chosen) },
    ...there,
  }));
