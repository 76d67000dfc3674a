import { describe, expect, test } from 'vitest';
import { createModelGateway } from '../../src/ai.ts';
import { createFakeClient } from '../../src/testing.ts';
import { majors } from './majors.ts';

const embeddings = [
  [0.5, 0.25],
  [1, 0],
];

describe.each(majors)('embedMany of $name', ({ sdk, version }) => {
  const modelOf = (client: ReturnType<typeof createFakeClient>) =>
    createModelGateway({ client, specificationVersion: version }).embeddingModel('my-embeddings');

  test('is one call, and returns its exact cost', async () => {
    const client = createFakeClient([{ embeddings, costUsd: '0.000002' }]);
    const providerOptions = { modelGateway: { userId: 'ada', idempotencyKey: 'k' } };
    const values = ['One', 'Two'];
    const embedOptions = { model: modelOf(client), values, providerOptions };
    const { warnings, ...answer } = await sdk.embedMany(embedOptions);
    expect(answer.embeddings).toEqual(embeddings);
    expect(answer.providerMetadata?.modelGateway).toMatchObject({ costUsd: '0.000002' });
    expect(warnings).toMatchObject([{ type: 'unsupported', feature: 'idempotencyKey' }]);
    expect(client.calls).toHaveLength(1);
    const request = { model: 'my-embeddings', input: values, userId: 'ada' };
    expect(client.calls[0]).toMatchObject({ path: '/embeddings', request });
  });

  test('fails at once where the budget is spent', async () => {
    const client = createFakeClient([{ error: 'BUDGET_EXCEEDED' }]);
    const pending = sdk.embedMany({ model: modelOf(client), values: ['One'] });
    await expect(pending).rejects.toMatchObject({ statusCode: 402, isRetryable: false });
    expect(client.calls).toHaveLength(1);
  });
});
