import type { Command } from '../../../harness/server.ts';

/** A server by other authors. A new server is a file here and a line in `all.ts`. */
export interface ForeignServer {
  readonly name: string;
  readonly wires: readonly Wire[];
  /** The only key that it accepts. */
  readonly apiKey: string;
  /** The code that our caller receives for its rejection. */
  readonly refusalCode: string;
  /** Writes its script for the conversation, and returns the command that starts it. */
  command(parts: { readonly folder: string; readonly port: number }): Command;
}

/** One of its wire formats, and the gateway's configuration for that format. */
export interface Wire {
  readonly name: string;
  readonly kind: 'openai-compatible' | 'openai' | 'anthropic';
  /** The beginning of the platform's `baseUrl`, before the path of a call. */
  readonly basePath: string;
  readonly speaks?: readonly string[];
  /** The server's name of the requested model. */
  readonly upstreamModel: string;
}
