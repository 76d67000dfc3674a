import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAwsCredentialChain } from '../../../src/platforms/mantle/aws-credentials.ts';

const nowhere = '/nonexistent/model-gateway';

/** A process without AWS variables, on a machine without a role endpoint. */
beforeEach(() => {
  for (const name of Object.keys(process.env).filter((key) => key.startsWith('AWS_'))) {
    vi.stubEnv(name, undefined);
  }
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_CONFIG_FILE', nowhere);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', nowhere);
});

afterEach(() => vi.unstubAllEnvs());

describe('the AWS credential chain', () => {
  it('finds the credentials of the environment', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const find = createAwsCredentialChain('us-east-1');
    expect(await find({ isRefused: false })).toMatchObject({
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'secret',
    });
  });

  it('reads rejected credentials again, and only then', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'first');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const find = createAwsCredentialChain('us-east-1');
    await find({ isRefused: false });
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'second');
    expect(await find({ isRefused: false })).toMatchObject({ accessKeyId: 'first' });
    expect(await find({ isRefused: true })).toMatchObject({ accessKeyId: 'second' });
  });

  it('with nothing in it reports the missing part in one line', async () => {
    const find = createAwsCredentialChain('us-east-1');
    const error: unknown = await find({ isRefused: false }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'CredentialsError',
      message: expect.stringMatching(/^no AWS credentials were found; set apiKey or AWS_BEARER_/),
    });
    expect(String(error)).not.toContain('\n');
  });
});
