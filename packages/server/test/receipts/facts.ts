import type { CallAmounts } from './amounts.ts';
import type { Request } from './player.ts';
import type { Ask, Plan, Script } from './script.ts';

// The callers that have each response, or can still get it.

/** A call, and the facts that decide who can have its response. */
export interface Call {
  readonly id: string;
  readonly request: Request;
  /** The platform's result. */
  readonly plan: () => Plan;
  readonly amounts: () => CallAmounts;
  readonly month: string;
  state: 'running' | 'lost' | 'ended';
  wasLost: boolean;
  /** It came back when another call had its key. */
  isTakenOver: boolean;
  /** The cost by an operator's correction. */
  corrected: bigint | undefined;
  /** Whether it was paid before the correction. */
  wasPaid: boolean;
  paid: bigint;
  code: string | undefined;
  /** The time for retries without a key is over. */
  isForgotten: boolean;
  /** Its key is removed: a later request under it is independent. */
  isKeyForgotten: boolean;
}

/** The required response of a request. */
export type Expected =
  | { readonly kind: 'own' | 'invalid' | 'any' | 'own or adopted' }
  | { readonly kind: 'attached' | 'adopted'; readonly call: Call };

export interface Known extends Request {
  readonly expected: Expected;
}

/** All events so far. */
export interface Facts {
  readonly script: Script;
  readonly requests: Known[];
  readonly calls: Call[];
}

const delivering = ['answers', 'uncounted', 'truncated', 'overruns'];

/** A replayed result: an answer, complete or stopped at `maxTokens`. */
export function isAnswer({ plan }: Call): boolean {
  return delivering.includes(plan().result);
}

export function isEqual(one: Ask, other: Ask): boolean {
  return one.route === other.route && one.slot === other.slot && one.user === other.user;
}

/** The calls of a stored key, in their order. */
export function underKey({ calls }: Facts, ask: Ask): readonly Call[] {
  return calls.filter(
    ({ request, isKeyForgotten }) =>
      request.ask.isKeyed && !isKeyForgotten && isEqual(request.ask, ask),
  );
}

/** Requests that received something of a call. */
export function attachedTo({ requests }: Facts, { id }: Call): readonly Known[] {
  return requests.filter((each) => each.caller.headers().get('x-call-id') === id);
}

/** Whether a caller has the complete result of its call. */
export function hasResult({ caller }: Request): boolean {
  if (caller.end() !== 'whole') return false;
  if (caller.lastWords() === 'finish' || caller.lastWords().endsWith('TRUNCATED')) return true;
  return caller.status() === 200 && caller.events.length === 0;
}

export function isReceived(facts: Facts, call: Call): boolean {
  return attachedTo(facts, call).some(hasResult) || isAdopted(facts, call);
}

/** Whether a retry without a key has collected it. */
export function isAdopted(facts: Facts, call: Call): boolean {
  return attachedTo(facts, call).some(({ ask, ownId }) => !ask.isKeyed && ownId !== call.id);
}

/** The text that a stream's own caller has received. */
export function deliveredOf({ request }: Call): string {
  return request.ask.route === 'stream' ? request.caller.text() : '';
}

export function mayBeAdopted({ script }: Facts, { request }: Call): boolean {
  const { isKeyed, route } = request.ask;
  return script.adoptRetries && script.storeAnswers && !isKeyed && route !== 'embed';
}

/** Ended, and stored only for a retry without a key. */
export function isUnclaimed(facts: Facts, call: Call): boolean {
  if (!mayBeAdopted(facts, call) || call.state !== 'ended' || call.isForgotten) return false;
  return isAnswer(call) && !isReceived(facts, call);
}

/** A retry disconnected before it knew its call, or a lost call came back. */
export function isUnsure({ requests }: Facts, call: Call): boolean {
  if (call.wasLost) return true;
  return requests.some(
    ({ ask, caller, hasLeft, expected }) =>
      expected.kind === 'own or adopted' &&
      isEqual(ask, call.request.ask) &&
      (hasLeft() || caller.end() === 'open') &&
      caller.status() === 0,
  );
}

/** The required response of a request that is sent now. */
export function expectedOf(facts: Facts, ask: Ask): Expected {
  if (ask.isKeyed) return expectedUnderKey(facts, ask);
  if (!facts.script.adoptRetries || !ask.isRetry || ask.route === 'embed') return { kind: 'own' };
  const equal = facts.calls.filter(
    ({ request }) => !request.ask.isKeyed && isEqual(request.ask, ask),
  );
  if (equal.some((call) => isUnsure(facts, call))) return { kind: 'any' };
  // The oldest. Ids are in the order of time.
  const [call] = equal
    .filter((each) => isUnclaimed(facts, each))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  if (call !== undefined) return { kind: 'adopted', call };
  return { kind: equal.some(({ state }) => state === 'running') ? 'own or adopted' : 'own' };
}

function expectedUnderKey(facts: Facts, ask: Ask): Expected {
  const earlier = underKey(facts, ask);
  const call = earlier.at(-1);
  if (call === undefined) return { kind: 'own' };
  if (call.wasLost) return { kind: 'any' };
  if (call.state === 'running') return { kind: 'attached', call };
  const bad = earlier.filter(({ plan }) => plan().result === 'bad');
  // The documents do not define whether an unreported one counts.
  if (bad.length > 1 && bad.some(({ code }) => code !== 'BAD_OUTPUT')) return { kind: 'any' };
  const isLast = call.code === 'BAD_OUTPUT' && bad.length > 1;
  if (!isAnswer(call) && !isLast) return { kind: 'own' };
  const isStored = facts.script.storeAnswers && (isLast || ask.route !== 'embed');
  return isStored ? { kind: 'attached', call } : { kind: 'invalid' };
}
