import type { Received, Sent } from './network.ts';

/** A request that a platform documents, and its two responses. */
export interface RecipePlatform {
  readonly model: string;
  /** The variables of its recipe. */
  readonly variables: Readonly<Record<string, string>>;
  /** The URLs of a call and of a stream. */
  readonly url: string;
  readonly streamUrl?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body of a call, and the additional fields of a stream. */
  readonly body: Json;
  readonly streamBody: Json;
  readonly whole: Json;
  readonly events: readonly (Json | string)[];
  /** The cost of its responses' counts at the recipe's price, computed by hand. */
  readonly costUsd: string;
  /** Answers other requests, for example for a token. */
  readonly also?: (request: Received) => Sent | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

/** The callers' prompt, long enough for the counts below. */
export const prompt = 'Name a color. '.repeat(500);
export const answerText = 'Blue.';
export const maxTokens = 100;

/** The messages of a call on most wires. */
export const messages = [{ role: 'user', content: prompt }];

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** The same for servers that report only three counts. */
export const plainUsage = { prompt_tokens: 1_200, completion_tokens: 80, total_tokens: 1_280 };
