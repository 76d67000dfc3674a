import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { type AwsCredentials, CredentialsError } from './aws-credentials.ts';

/** Times are epoch milliseconds. */
export interface MintedBearer {
  readonly bearer: string;
  readonly mintedAt: number;
  /** Renewal starts here, while this bearer is still valid. */
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** Bedrock allows 12 hours, but a leaked bearer should expire sooner. */
const bearerMsMax = 3_600_000;

/** The bearer expires this long before its credentials: clocks differ, and calls take time. */
const marginMs = 60_000;

const host = 'bedrock.amazonaws.com';

/**
 * A presigned URL in base64, made offline. Throws a CredentialsError when the credentials expire
 * soon. Source: platforms, 1.2.
 */
export async function mintBearer(parts: {
  readonly credentials: AwsCredentials;
  readonly region: string;
  /** Epoch milliseconds. */
  readonly now: number;
}): Promise<MintedBearer> {
  const { credentials, region, now } = parts;
  const credentialsEndAt = credentials.expiration?.getTime() ?? Number.POSITIVE_INFINITY;
  const seconds = Math.floor(Math.min(bearerMsMax, credentialsEndAt - marginMs - now) / 1_000);
  if (seconds <= 0) throw new CredentialsError('the AWS credentials have expired');
  const signer = new SignatureV4({ service: 'bedrock', region, credentials, sha256: Sha256 });
  const { query = {} } = await signer.presign(
    {
      method: 'POST',
      protocol: 'https:',
      hostname: host,
      path: '/',
      query: { Action: 'CallWithBearerToken' },
      headers: { host },
    },
    { signingDate: new Date(now), expiresIn: seconds },
  );
  const names = Object.keys(query).toSorted();
  const pairs = names.map((name) => `${name}=${encodeURIComponent(String(query[name]))}`);
  const url = `${host}/?${pairs.join('&')}&Version=1`;
  const lifeMs = seconds * 1_000;
  return {
    bearer: `bedrock-api-key-${Buffer.from(url).toString('base64')}`,
    mintedAt: now,
    renewAt: now + lifeMs * renewalShare,
    expiresAt: now + lifeMs,
  };
}

const renewalShare = 0.75;

/** The signer's interface: a hash, or with a secret an HMAC. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }
  reset(): void {}
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
