import type { Answer } from '../../../../calls/answer.ts';
import type { CallContext } from '../../../../calls/call.ts';
import type { App } from '../../../../registry/app.ts';

/** What a route gets: its caller is known, its body is read but not parsed. */
export interface RouteRequest {
  readonly app: App;
  /** The variable part of the path, decoded; empty where there is none. */
  readonly parameter: string;
  /** The body as text and its size in bytes. Throws INVALID for a content type other than JSON. */
  readonly readJson: () => { readonly text: string; readonly bytes: number };
  /** For routes that make a call. */
  readonly context: CallContext;
}

/** Answers one route; throws an ApiError for every refusal. */
export type Route = (request: RouteRequest) => Promise<Answer>;

/** A 200 with a JSON body. */
export function ok(body: object): Answer {
  return { status: 200, body: JSON.stringify(body), headers: {} };
}
