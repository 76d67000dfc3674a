import { CallError } from '../../calls/model/call-error.ts';
import type { Dialect, RequestHead } from './dialect.ts';
import { type ApisOn, rightBaseOf } from './wrong-base.ts';

/** The error of a path or a method that no route has. */
export type NoRoute = (
  request: Pick<RequestHead, 'method' | 'path'>,
  dialect: Pick<Dialect, 'routeList'>,
  isStreaming: boolean,
) => CallError;

/** It names the right base URL to a client that has a wrong one, and the routes to all. */
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
