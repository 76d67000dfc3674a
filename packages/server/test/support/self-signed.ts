import { generateKeyPairSync, sign } from 'node:crypto';

/** A key, and a certificate that only a test trusts; both as PEM. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** Creates a certificate for a host's name. Source: RFC 5280, section 4.1. */
export function createSelfSigned(hostName: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = list(set(list(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(hostName)))));
  const names = list(der(0x82, Buffer.from(hostName)));
  const alternativeName = list(oid(0x55, 0x1d, 0x11), der(0x04, names));
  const body = list(
    der(0xa0, number(2)),
    number(1),
    ecdsaWithSha256,
    name,
    list(time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, list(alternativeName)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]));
  const base64 = list(body, ecdsaWithSha256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  const cert = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join(
    '\n',
  );
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

/** A value with its type and its length. Source: X.690, section 8.1. */
function der(type: number, ...values: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(values);
  const { length } = value;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...size]), value]);
}

function list(...values: readonly Uint8Array[]): Buffer {
  return der(0x30, ...values);
}

function set(value: Uint8Array): Buffer {
  return der(0x31, value);
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function number(value: number): Buffer {
  return der(0x02, Buffer.of(value));
}

function time(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

const ecdsaWithSha256 = list(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
