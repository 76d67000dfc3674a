/** A request's headers, by lower-case names. */
export interface TraceHeaders {
  readonly header: (name: string) => string | undefined;
  /** Whether a header came on more than one line. */
  readonly isRepeated: (name: string) => boolean;
}

/** The span that a request comes from. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether its trace is recorded there. */
  readonly isSampled: boolean;
  /** What vendors say along the trace; handed on as it is. */
  readonly state: string | undefined;
}

const parentHeader = 'traceparent';
const stateHeader = 'tracestate';
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const nobody = /^0+$/;
const stateCharactersMax = 512;

/**
 * The span that a request names as its parent, in version 00 to the letter; undefined for none.
 * What is malformed, all zeros or there twice is none: a trace is no reason to refuse a call.
 * Source: W3C Trace Context, section 3.2.
 */
export function readTraceParent({ header, isRepeated }: TraceHeaders): TraceParent | undefined {
  const text = header(parentHeader);
  if (text === undefined || isRepeated(parentHeader)) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = pattern.exec(text) ?? [];
  if (traceId === '' || nobody.test(traceId) || nobody.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, state: stateOf({ header, isRepeated }) };
}

/** The headers that take a span to who is asked next. */
export function traceHeaders({
  traceId,
  spanId,
  isSampled,
  state,
}: TraceParent): Readonly<Record<string, string>> {
  const parent = { [parentHeader]: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}` };
  return state === undefined ? parent : { ...parent, [stateHeader]: state };
}

/** One that is too long, or no header's text, is dropped whole: a part could mean another thing. */
function stateOf({ header, isRepeated }: TraceHeaders): string | undefined {
  const state = header(stateHeader)?.trim() ?? '';
  if (state === '' || isRepeated(stateHeader) || state.length > stateCharactersMax)
    return undefined;
  return /^[\x20-\x7e]+$/.test(state) ? state : undefined;
}
