/** What is said of a span. Never content: no prompt, no answer, no key. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** A span that has ended. */
export interface SpanRecord {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  /** What vendors say along the trace. */
  readonly state: string | undefined;
  /** Epoch milliseconds, and parts of them. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  /** Whether what it is of went wrong. */
  readonly isError: boolean;
  /** The span of another request that it has its answer of, `TRACE-SPAN`. */
  readonly link?: string | undefined;
}

/** Takes spans; never throws, and makes no caller wait. */
export interface SpanSink {
  add(span: SpanRecord): void;
}
