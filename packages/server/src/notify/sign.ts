import { createHmac } from 'node:crypto';

/** Precedes the base64 of a secret. */
export const secretPrefix = 'whsec_';

/**
 * One signature for each secret, so a receiver may have either during a rotation. Source: Standard
 * Webhooks 1.0.0, "Signature scheme".
 */
export function signatureOf(
  message: { readonly id: string; readonly timestampS: number; readonly body: string },
  secrets: readonly string[],
): string {
  const signed = `${message.id}.${message.timestampS}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return signatures.join(' ');
}
