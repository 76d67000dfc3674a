import { Badge, type Tone } from './badge.tsx';

const words: Readonly<Record<string, string>> = {
  OK: 'OK',
  ABORTED: 'Canceled',
  AUTH: 'Rejected by platform',
  SERVER: 'Platform error',
  TIMEOUT: 'Timed out',
};
const tones: Readonly<Record<string, Tone>> = { OK: 'good', ABORTED: 'warn', TRUNCATED: 'warn' };

/** `Timed out` for TIMEOUT, `Bad output` for BAD_OUTPUT. */
export function statusText(code: string): string {
  const text = code.toLowerCase().replaceAll('_', ' ');
  return words[code] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

/** The end of a call in words; its code on hover. */
export function Status({ of }: { readonly of: string }) {
  return (
    <Badge tone={tones[of] ?? 'bad'} title={of}>
      {statusText(of)}
    </Badge>
  );
}
