import type { Clock } from '../../lib/clock.ts';
import type { AttemptOutcome } from '../model/port.ts';
import type { UnusableCause } from '../model/unusable.ts';

/** `open`: no attempts for a while; `probing`: one attempt tests the platform. */
export type CircuitState = 'closed' | 'open' | 'probing';

export type HealthSignal = 'success' | 'failure' | 'ignored';

export type ResponseState = 'usable' | UnusableCause | undefined;

export type Entry =
  | {
      readonly kind: 'entered';
      /** Call once, when the attempt has ended. */
      readonly leave: (signal: HealthSignal, response?: ResponseState) => void;
    }
  | { readonly kind: 'refused'; readonly forMs: number; readonly unusable?: UnusableCause };

export interface Circuit {
  enter(): Entry;
  isRefusing(): boolean;
  state(): CircuitState;
}

/** Source: reliability, "load and overload". */
const openMs = 5_000;
const attemptsMin = 20;

/** This many in a row with one cause, and never a usable response: a misconfiguration. */
const unusableMax = 5;

/** For a platform that was never usable: only an operator can correct it. */
const unusableMs = 60_000;

export interface CircuitParts {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** `unusable` is set if the circuit opened because no response was ever usable. */
  readonly onChange: (state: CircuitState, unusable?: UnusableCause) => void;
  readonly onRefusal: () => void;
  readonly onUnusable?: (cause: UnusableCause) => void;
}

export function createCircuit(parts: CircuitParts): Circuit {
  const { clock, onChange } = parts;
  let window = createWindow();
  let openUntilMs: number | undefined;
  /** A slower probe lets the next one start: its call may be detached for a minute. */
  let probeUntilMs = 0;
  const row = createUnusableRow(parts.onUnusable);
  return {
    enter() {
      if (openUntilMs === undefined) return ordinary();
      const forMs = Math.max(openUntilMs, probeUntilMs) - clock.monotonic();
      if (forMs <= 0) return probe();
      parts.onRefusal();
      return { kind: 'refused', forMs, ...(row.open && { unusable: row.open }) };
    },
    isRefusing: () => Math.max(openUntilMs ?? 0, probeUntilMs) > clock.monotonic(),
    state() {
      if (openUntilMs === undefined) return 'closed';
      return probeUntilMs > clock.monotonic() ? 'probing' : 'open';
    },
  };

  function ordinary(): Entry {
    const entered = window;
    const leave = (signal: HealthSignal, response?: ResponseState) => {
      if (response === 'usable') row.wasUsable = true;
      else if (signal !== 'ignored') row.note(response);
      if (row.wasUsable && row.open !== undefined) return close();
      // A call that began before the circuit opened proves nothing about the time after.
      if (signal === 'ignored' || entered !== window || openUntilMs !== undefined) return;
      const { attempts, failures } = window.add(clock.monotonic(), signal === 'failure');
      const cause = row.wasUsable ? undefined : row.cause();
      if (cause !== undefined || (attempts >= attemptsMin && failures * 2 >= attempts)) open(cause);
    };
    return { kind: 'entered', leave };
  }

  function probe(): Entry {
    const tried = window;
    const untilMs = clock.monotonic() + (row.open === undefined ? openMs : unusableMs);
    probeUntilMs = untilMs;
    onChange('probing');
    const leave = (signal: HealthSignal, response?: ResponseState) => {
      if (signal !== 'ignored') row.note(response);
      // Another probe has closed it.
      if (tried !== window) return;
      // A rejection may be readable even where no response is usable.
      if (row.open === undefined ? signal === 'success' : row.wasUsable) return close();
      if (signal !== 'ignored') return open(row.cause() ?? row.open);
      // A probe without a verdict frees its slot for the next.
      if (probeUntilMs === untilMs) probeUntilMs = 0;
    };
    return { kind: 'entered', leave };
  }

  function open(cause?: UnusableCause) {
    row.open = cause;
    openUntilMs = clock.monotonic() + (cause === undefined ? openMs : unusableMs);
    probeUntilMs = 0;
    onChange('open', cause);
  }

  function close() {
    openUntilMs = undefined;
    row.open = undefined;
    probeUntilMs = 0;
    window = createWindow();
    onChange('closed');
  }
}

interface UnusableRow {
  wasUsable: boolean;
  open: UnusableCause | undefined;
  note(response: ResponseState): void;
  /** Undefined until enough responses share one cause, and always after a usable response. */
  cause(): UnusableCause | undefined;
}

function createUnusableRow(onUnusable?: (cause: UnusableCause) => void): UnusableRow {
  let last: UnusableCause | undefined;
  let count = 0;
  return {
    wasUsable: false,
    open: undefined,
    note(response: ResponseState) {
      if (response === 'usable') {
        this.wasUsable = true;
        return;
      }
      count = response === last ? count + 1 : 1;
      last = response;
      if (response !== undefined) onUnusable?.(response);
    },
    cause() {
      return this.wasUsable || count < unusableMax ? undefined : last;
    },
  };
}

/** Slots of 1 s. The oldest is dropped whole, so the window covers 9 to 10 s. */
const slots = 10;
const slotMs = 1_000;

function createWindow() {
  const seen: { readonly slot: number; attempts: number; failures: number }[] = [];
  const sums = { attempts: 0, failures: 0 };
  return { add };

  function add(nowMs: number, isFailure: boolean): Readonly<typeof sums> {
    const slot = Math.floor(nowMs / slotMs);
    let last = seen.at(-1);
    if (last?.slot !== slot) {
      last = { slot, attempts: 0, failures: 0 };
      seen.push(last);
      dropOldSlots(slot);
    }
    last.attempts += 1;
    sums.attempts += 1;
    if (isFailure) {
      last.failures += 1;
      sums.failures += 1;
    }
    return sums;
  }

  function dropOldSlots(now: number) {
    while (seen[0] !== undefined && seen[0].slot <= now - slots) {
      sums.attempts -= seen[0].attempts;
      sums.failures -= seen[0].failures;
      seen.shift();
    }
  }
}

/**
 * Failures: 5xx, lost connections, broken streams, and unusable 2xx. Throttles and rejections prove
 * that the platform is up. A local shortage, an unsent request and a canceled attempt are ignored.
 */
export function healthSignalOf(outcome: AttemptOutcome, isCut: boolean): HealthSignal {
  if (outcome.kind === 'answered') return 'success';
  const { status, code, isRetryable, isOwnFault, broke, wasHeldBack } = outcome;
  if (isOwnFault === true || isCut) return 'ignored';
  // A paused platform may break off for that reason: a slow reader must not open the circuit.
  if (broke === true) return wasHeldBack === true ? 'ignored' : 'failure';
  if (outcome.unusable !== undefined) return 'failure';
  const isClientError = status !== undefined && status >= 300 && status < 500;
  if (code === 'SERVER' && isRetryable && !isClientError) return 'failure';
  return status === undefined ? 'ignored' : 'success';
}
