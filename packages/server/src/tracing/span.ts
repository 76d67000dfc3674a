/** Never contains a prompt, an answer or a key. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface SpanRecord {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly state: string | undefined;
  /** Fractional epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  readonly isError: boolean;
  /** `TRACE-SPAN` of the request whose response it shares. */
  readonly link?: string | undefined;
}

/** Never throws, and never waits. */
export interface SpanSink {
  add(span: SpanRecord): void;
}
