import { expect, test } from 'vitest';
import { operationDocuments, read } from './operation-documents.ts';

const documents = await operationDocuments();

test.each([...documents.keys()])('%s is current: npx node scripts/write-operations.ts', (path) => {
  expect(read(path)).toBe(documents.get(path));
});
