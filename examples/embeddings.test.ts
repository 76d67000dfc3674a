import { expect, test } from 'vitest';
import { openStack } from '../packages/server/test/support/stack.ts';
import { readRepositoryFile } from './testing/markdown.ts';

const yaml = `
company: acme
platforms: { sandbox: { kind: simulator } }
models:
  - { id: my-embeddings, upstreamModel: sim-embed, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
apps:
  - { name: tutor, dailyBudgetUsd: "20", credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
`;

const shown =
  /^```http with-embeddings\nPOST (\S+)\n.*\n\n([\s\S]*?)```\n\n```json with-embeddings\n([\s\S]*?)```$/m;

test('docs/api.md shows the embeddings of two texts', async () => {
  const [, path = '', body = '', answer = ''] = shown.exec(readRepositoryFile('docs/api.md')) ?? [];
  const stack = await openStack({ yaml });
  const response = await stack.post('tutor', path, body);
  const text = await response.text();
  await stack.close();
  const ids = /"(call|req)_[0-9a-z]{20,}"/g;
  expect(JSON.parse(text.replaceAll(ids, '"$1_…"'))).toEqual(JSON.parse(answer));
});
