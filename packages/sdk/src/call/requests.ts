import type { CallRequest, ToolChoice } from '@model-gateway/contract';
import type { JsonSchema } from '../lib/schema.ts';

/** The request of `agent`. */
export interface AgentTurnRequest extends CallRequest {
  /** 1–128 tools; results of `tool` are valid too. */
  readonly tools: readonly OfferedTool[];
  readonly toolChoice?: ToolChoice | undefined;
}

/** A tool's description for the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** The schema of its input, of `type: "object"`. */
  readonly inputSchema: JsonSchema;
}
