import type { Command } from '../../../harness/server.ts';

/** A server of somebody else's making. A new one is a file here and a line in `all.ts`. */
export interface ForeignServer {
  /** Its package on npm. */
  readonly name: string;
  readonly wires: readonly Wire[];
  /** The only key that it takes. */
  readonly apiKey: string;
  /** What a caller of ours is told where it refuses. */
  readonly refusalCode: string;
  /** Writes its script for the conversation, and says how it is started. */
  command(parts: { readonly folder: string; readonly port: number }): Command;
}

/** One of the wire formats that it speaks, and how the gateway is configured for it. */
export interface Wire {
  readonly name: string;
  readonly kind: 'openai-compatible' | 'openai' | 'anthropic';
  /** What stands before the path of a call in the platform's `baseUrl`. */
  readonly basePath: string;
  readonly speaks?: readonly string[];
  /** What the server calls the model that it is asked for there. */
  readonly upstreamModel: string;
}
