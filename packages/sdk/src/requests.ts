import type { CallRequest, ToolChoice } from '@model-gateway/contract';
import type { JsonSchema } from './schema.ts';

/** What `agent` takes. */
export interface AgentTurnRequest extends CallRequest {
  /** 1–128 tools; what `tool` makes can be given as well. */
  readonly tools: readonly OfferedTool[];
  readonly toolChoice?: ToolChoice | undefined;
}

/** A tool as the model is told of it. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** Of its input, and of `type: "object"`. */
  readonly inputSchema: JsonSchema;
}

/** Checks that a request is one at all; throws a TypeError that names the cure. */
export function checkRequest<Request extends object>(owner: string, request: Request): Request {
  const value: unknown = request;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return request;
  throw new TypeError(`${owner}: the request must be an object with model, messages, maxTokens`);
}
