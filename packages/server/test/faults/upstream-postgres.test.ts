import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { describeMatrix, faults } from './upstream/matrix.ts';
import { openAiChat } from './upstream/surfaces.ts';

/** One of each kind of row in the ledger. */
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

test('every fault that is named is one of the matrix', () => {
  expect(chosen).toHaveLength(names.length);
});

describeMatrix({
  ...{ surface: openAiChat, operations: ['chat', 'objects', 'agents'], faults: chosen },
  store: () => server.database(),
  // In virtual time the server's clock means nothing.
});
