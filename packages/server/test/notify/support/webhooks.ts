import { defaultWebhookEvents, type WebhookConfig } from '../../../src/domain/notify.ts';

/** The secret of {@link webhookTo}, as its receiver has it. */
export const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** A webhook on this machine. */
export function webhookTo(url: string, more: Partial<WebhookConfig> = {}): WebhookConfig {
  return {
    ...{ name: 'ops', url, secrets: [secret], format: 'standard', events: defaultWebhookEvents },
    ...{ at: [50, 80, 100], apps: undefined, allowPrivate: true },
    ...more,
  };
}
