import { routes } from '@model-gateway/contract';
import type { Answer } from '../calls/answer.ts';
import type { EdgeRequest } from './http/request.ts';

/** The answer of the two routes that need no key, `GET /` and `GET /health`; else undefined. */
export function openAnswer(
  { method, path }: Pick<EdgeRequest, 'method' | 'path'>,
  { version, isDraining }: { readonly version: string; readonly isDraining: boolean },
): Answer | undefined {
  if (method !== 'GET') return undefined;
  if (path === routes.root.path) {
    const body = JSON.stringify({ name: 'model-gateway', version });
    return { status: 200, body, headers: {} };
  }
  if (path !== routes.health.path) return undefined;
  return isDraining
    ? { status: 503, body: '{"status":"draining"}', headers: {} }
    : { status: 200, body: '{"status":"ok"}', headers: {} };
}
