import type { GatewayErrorName } from '@model-gateway/contract';
import type { AnswerStream } from './sink.ts';

export interface Answer {
  readonly status: number;
  /** JSON or events; empty with a stream. */
  readonly body: string;
  /** Replaces the body. The receiver must open it or leave it. */
  readonly stream?: AnswerStream;
  readonly headers: Readonly<Record<string, string>>;
  /** For log and metrics; undefined for API responses. */
  readonly refusal?: GatewayErrorName;
}
