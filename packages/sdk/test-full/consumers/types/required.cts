// Compiled by the tests, not run: the same package from CommonJS.
import sdk = require('@model-gateway/sdk');
import testing = require('@model-gateway/sdk/testing');

const client: sdk.Client = sdk.createClient({ baseUrl: 'https://a.test/v1', apiKey: 'k' });
const fake: testing.FakeClient = testing.createFakeClient([{ text: 'Hello' }]);

export function isOurs(error: unknown): error is sdk.LlmError {
  return error instanceof sdk.LlmError && sdk.LlmError.is(error);
}

export const both: readonly sdk.Client[] = [client, fake];
