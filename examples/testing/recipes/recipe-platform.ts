import type { Received, Sent } from './network.ts';

/** A request that a platform documents, and its two answers. */
export interface RecipePlatform {
  /** The model that callers ask for. */
  readonly model: string;
  /** The variables of its recipe. */
  readonly variables: Readonly<Record<string, string>>;
  /** Where a call and a stream go. */
  readonly url: string;
  readonly streamUrl?: string;
  /** Headers that it requires. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body of a call, and what a stream has in addition. */
  readonly body: Json;
  readonly streamBody: Json;
  readonly whole: Json;
  readonly events: readonly (Json | string)[];
  /** What the counts of its answers cost at the recipe's price, worked out by hand. */
  readonly costUsd: string;
  /** Answers other requests, such as one for a token. */
  readonly also?: (request: Received) => Sent | undefined;
}

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** What callers ask, long enough for the counts below, and the text that they get. */
export const prompt = 'Name a color. '.repeat(500);
export const answerText = 'Blue.';
export const maxTokens = 100;

/** What most wires have of a call. */
export const messages = [{ role: 'user', content: prompt }];

/** The header of a key. */
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** The same of servers that state three counts only. */
export const plainUsage = { prompt_tokens: 1_200, completion_tokens: 80, total_tokens: 1_280 };
