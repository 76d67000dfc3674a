import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AwsCredentials } from '../../../src/platforms/mantle/aws-credentials.ts';
import { mintBearer } from '../../../src/platforms/mantle/mint-bearer.ts';

/** The keys of AWS's own documents. */
const keys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const session = { ...keys, sessionToken: 'session/token+with=signs' };
const now = Date.UTC(2026, 10, 21, 12);
const region = 'us-east-1';

describe('a minted bearer', () => {
  it.each([
    ['keys', keys, 'fcb82907ebda889d26d352d23498590f00df91a1867de8c300e43fa423e6516b'],
    ['a session', session, '14a2b080c92a1367e9f314bd5e35658d0b155ce8e40c90bc8516816c05b76639'],
  ])('of %s equals the output of AWS’s own generator', async (_, credentials, signature) => {
    const url = urlIn((await mintBearer({ credentials, region, now })).bearer);
    // Created once with @aws/bedrock-token-generator 1.1.0 at the same time.
    expect(url).toContain(`&X-Amz-Signature=${signature}&`);
  });

  it.each([
    ['keys', keys],
    ['a session', session],
  ])('of %s is signed as AWS documents it', async (_, credentials) => {
    const { bearer } = await mintBearer({ credentials, region, now });
    expect(urlIn(bearer)).toBe(presignedByTheBook(credentials, 3600));
  });

  it('lives for an hour, and is renewed before', async () => {
    expect(await mintBearer({ credentials: keys, region, now })).toMatchObject({
      mintedAt: now,
      renewAt: now + 45 * 60_000,
      expiresAt: now + 60 * 60_000,
    });
  });

  it('ends before its credentials do', async () => {
    const expiration = new Date(now + 10 * 60_000);
    const minted = await mintBearer({ credentials: { ...session, expiration }, region, now });
    expect(minted.expiresAt).toBe(now + 9 * 60_000);
    expect(urlIn(minted.bearer)).toContain('&X-Amz-Expires=540&');
  });

  it('is not created from credentials that have ended', async () => {
    const credentials = { ...session, expiration: new Date(now + 60_500) };
    await expect(mintBearer({ credentials, region, now })).rejects.toThrow(
      'the AWS credentials have expired',
    );
  });
});

function urlIn(bearer: string): string {
  expect(bearer).toMatch(/^bedrock-api-key-[A-Za-z0-9+/]+=*$/);
  return Buffer.from(bearer.slice('bedrock-api-key-'.length), 'base64').toString();
}

/** "Authenticating requests: using query parameters (AWS Signature Version 4)", step by step. */
function presignedByTheBook(credentials: AwsCredentials, seconds: number): string {
  const date = '20261121';
  const time = `${date}T120000Z`;
  const scope = `${date}/${region}/bedrock/aws4_request`;
  const token = credentials.sessionToken;
  const parameters = [
    ['Action', 'CallWithBearerToken'],
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${scope}`],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', String(seconds)],
    ...(token === undefined ? [] : [['X-Amz-Security-Token', token]]),
    ['X-Amz-SignedHeaders', 'host'],
  ].map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`);
  const canonicalRequest = [
    'POST',
    '/',
    parameters.join('&'),
    'host:bedrock.amazonaws.com',
    '',
    'host',
    sha256(''),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest)].join('\n');
  const start = Buffer.from(`AWS4${credentials.secretAccessKey}`);
  const key = [date, region, 'bedrock', 'aws4_request'].reduce(hmac, start);
  const signature = `X-Amz-Signature=${hmac(key, toSign).toString('hex')}`;
  const query = [...parameters, signature].toSorted().join('&');
  return `bedrock.amazonaws.com/?${query}&Version=1`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
