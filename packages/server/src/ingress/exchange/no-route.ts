import { CallError } from '../../calls/model/call-error.ts';
import type { Dialect, RequestHead } from './dialect.ts';
import { type ApisOn, rightBaseOf } from './wrong-base.ts';

export type NoRoute = (
  request: Pick<RequestHead, 'method' | 'path'>,
  dialect: Pick<Dialect, 'routeList'>,
  isStreaming: boolean,
) => CallError;

/** Suggests the right base URL to misconfigured clients, and lists routes to all. */
export function createNoRoute(on: ApisOn): NoRoute {
  return ({ method, path }, dialect, isStreaming) => {
    const base = rightBaseOf(path, on);
    const hint = base === undefined ? '' : `${base}. Here `;
    const list = `the routes are ${dialect.routeList(isStreaming)}`;
    const message = `There is no ${clip(method)} ${clip(path)}; ${hint}${list}.`;
    return new CallError('NOT_FOUND', message);
  };
}

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
