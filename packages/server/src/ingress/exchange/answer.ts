import type { GatewayErrorName } from '@model-gateway/contract';
import type { AnswerStream } from './sink.ts';

/** An answer on its way out, before it is an HTTP response. */
export interface Answer {
  readonly status: number;
  /** JSON text, or events; empty where there is a stream. */
  readonly body: string;
  /** What comes instead of a body. What gets the answer opens it, or leaves. */
  readonly stream?: AnswerStream;
  /** Headers of this answer alone; those that all answers have come to them at the end. */
  readonly headers: Readonly<Record<string, string>>;
  /** Which of the gateway's own answers it is, for log and metrics; undefined for the API's. */
  readonly refusal?: GatewayErrorName;
}
