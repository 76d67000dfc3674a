import { defaultHookEvents, type HookConfig } from '../../../src/domain/notify.ts';

/** The secret of {@link hookTo}, as its receiver has it. */
export const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** A hook on this machine. */
export function hookTo(url: string, more: Partial<HookConfig> = {}): HookConfig {
  return {
    ...{ name: 'ops', url, secrets: [secret], format: 'standard', events: defaultHookEvents },
    ...{ at: [50, 80, 100], apps: undefined, allowPrivate: true },
    ...more,
  };
}
