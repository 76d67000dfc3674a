import type { CallRequest, ToolChoice } from '@model-gateway/contract';
import type { JsonSchema } from '../lib/schema.ts';

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
