import { type Client, LlmError } from '@model-gateway/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathFamilies } from '../../src/domain/platform-kinds/kind-facts.ts';
import { expectClean } from '../support/books.ts';
import { modelOn, type OnMantle, startOnMantle } from '../support/mantle.ts';

const rows = [
  ['rejects', 400, 'BAD_REQUEST'],
  ['denied', 403, 'AUTH'],
  ['unauthorized', 403, 'AUTH'],
  ['missing', 404, 'NOT_FOUND'],
  ['truncated', 422, 'TRUNCATED'],
  ['throttled', 429, 'THROTTLED'],
  ['bad-json', 502, 'BAD_OUTPUT'],
  ['down', 502, 'SERVER'],
  ['timeout', 504, 'TIMEOUT'],
] as const;

let onMantle: OnMantle;
let client: Client;
beforeAll(async () => {
  onMantle = await startOnMantle({
    models: rows.map(([model]) => model),
    lines: 'limits: { modelCallMs: 1000, drainMs: 1000 }',
  });
  client = await onMantle.server.client('search');
});
afterAll(() => onMantle.close());

const messages = [{ role: 'user', content: 'What is a gateway?' }] as const;
const schema = { type: 'object', properties: { city: { type: 'string' } } } as const;

describe.each(pathFamilies)('on %s', (family) => {
  test.each(rows)('a model that is %s is %i %s', async (model, status, code) => {
    const request = { model: modelOn(family, model), maxTokens: 20, messages, schema };
    const error = await client.object<unknown>(request).catch((thrown: unknown) => thrown);
    if (!LlmError.is(error)) throw new Error('the call was answered');
    expect(error).toMatchObject({ status, code });
    // The platform's own sentences name its account.
    expect(error.message).not.toMatch(/arn:|111122223333|proj_/);
  });
});

test('the ledger is clean', () => expectClean(onMantle.server));
