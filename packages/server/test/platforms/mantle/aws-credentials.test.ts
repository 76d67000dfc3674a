import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAwsCredentialChain } from '../../../src/platforms/mantle/aws-credentials.ts';

const nowhere = '/nonexistent/model-gateway';

/** A process that has nothing of AWS about it, and no machine that would ask for a role. */
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
  it('finds what the environment has', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const find = createAwsCredentialChain('us-east-1');
    expect(await find({ isRefused: false })).toMatchObject({
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'secret',
    });
  });

  it('looks again for those that were refused, and only then', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'first');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const find = createAwsCredentialChain('us-east-1');
    await find({ isRefused: false });
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'second');
    expect(await find({ isRefused: false })).toMatchObject({ accessKeyId: 'first' });
    expect(await find({ isRefused: true })).toMatchObject({ accessKeyId: 'second' });
  });

  it('with nothing in it says in one line what is missing', async () => {
    const find = createAwsCredentialChain('us-east-1');
    const error: unknown = await find({ isRefused: false }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'CredentialsError',
      message: expect.stringMatching(/^no AWS credentials were found; set apiKey or AWS_BEARER_/),
    });
    expect(String(error)).not.toContain('\n');
  });
});
