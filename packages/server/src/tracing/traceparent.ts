export interface TraceHeaders {
  readonly path?: string;
  readonly header: (name: string) => string | undefined;
  readonly isRepeated: (name: string) => boolean;
}

export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly isRandom?: boolean | undefined;
  readonly state: string | undefined;
}

const parentHeader = 'traceparent';
const stateHeader = 'tracestate';
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const nobody = /^0+$/;
const sampledFlag = 1;
const randomFlag = 2;

/**
 * Ignores malformed, zero or repeated headers: a trace must not make a call fail. W3C Trace
 * Context, 3.2.
 */
export function readTraceParent({ header, isRepeated }: TraceHeaders): TraceParent | undefined {
  const text = header(parentHeader);
  if (text === undefined || isRepeated(parentHeader)) return undefined;
  const [, version = '', traceId = '', spanId = '', digits = '', more] = pattern.exec(text) ?? [];
  if (traceId === '' || nobody.test(traceId) || nobody.test(spanId)) return undefined;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  const flags = Number.parseInt(digits, 16);
  return {
    ...{ traceId, spanId, isSampled: (flags & sampledFlag) !== 0 },
    ...((flags & randomFlag) === 0 ? {} : { isRandom: true }),
    state: stateOf(header(stateHeader)),
  };
}

export function traceHeaders(parent: TraceParent): Readonly<Record<string, string>> {
  const { traceId, spanId, isSampled, isRandom = false, state } = parent;
  const flags = (isSampled ? sampledFlag : 0) | (isRandom ? randomFlag : 0);
  const headers = { [parentHeader]: `00-${traceId}-${spanId}-0${flags}` };
  return state === undefined ? headers : { ...headers, [stateHeader]: state };
}

/**
 * Lines are already joined by commas. A long or invalid state is dropped whole, since a part might
 * change meaning. W3C Trace Context, 3.3.1.
 */
function stateOf(text = ''): string | undefined {
  const state = text.trim();
  if (state === '' || state.length > stateLengthMax) return undefined;
  const members = state.split(',').map((member) => member.trim());
  const isValid = members.every((member) => member === '' || memberPattern.test(member));
  return isValid && members.length <= membersMax ? state : undefined;
}

const stateLengthMax = 512;
const membersMax = 32;
/** Members are trimmed, so values do not end in a space. */
const memberPattern = /^[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;
