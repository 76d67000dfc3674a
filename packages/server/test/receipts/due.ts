import type { CallAmounts } from './amounts.ts';
import {
  attachedTo,
  type Call,
  deliveredOf,
  type Facts,
  hasResult,
  isAnswer,
  isReceived,
  isUnclaimed,
  isUnsure,
  mayBeAdopted,
  underKey,
} from './facts.ts';
import { text } from './script.ts';

// The rule of receipt: a user's wallet pays only for a response that was delivered, or that its
// caller can still collect with its own key; once per key; at most the first reservation. A
// response that is stored only for a retry without a key is paid by that retry. Until the retry, or
// the end of the storage, its reservation stays.

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);

/** Whether a wallet may have paid this amount for a call. */
export function isDue(facts: Facts, call: Call, paid: bigint): boolean {
  const { most } = call.amounts();
  const cap = smaller(most, call.corrected ?? most);
  const mates = call.request.ask.isKeyed ? underKey(facts, call.request.ask) : [];
  // The documents do not define which of the calls under a key pays for the other's correction.
  if (mates.length > 1 && mates.some(({ corrected }) => corrected !== undefined)) {
    return paid <= cap;
  }
  if (call.wasPaid) return paid === cap;
  const earlier = mates
    .slice(0, Math.max(0, mates.indexOf(call)))
    .reduce((sum, each) => sum + each.paid, 0n);
  return duesOf(facts, call).some((due) => {
    const rest = smaller(due, cap) - earlier;
    return paid === (rest > 0n ? rest : 0n);
  });
}

/**
 * The amount of a call's receipt, if nothing else has its key; several if the documents leave it
 * open.
 */
export function duesOf(facts: Facts, call: Call): readonly bigint[] {
  if (call.state !== 'ended' || call.isTakenOver) return [0n];
  const amounts = call.amounts();
  if (isAnswer(call)) return answerDues(facts, call, amounts);
  const { isKeyed } = call.request.ask;
  const delivered = deliveredOf(call);
  if (call.plan().result === 'bad') {
    const isSeen = attachedTo(facts, call).some(
      ({ caller, hasLeft }) => !hasLeft() && caller.text() !== '',
    );
    return isSeen || (delivered !== '' && !isKeyed) ? [amounts.exact] : [0n];
  }
  // A platform that breaks off by itself is to blame, unless the caller had disconnected before.
  const isLeft = call.request.hasLeft() && !isKeyed && delivered !== '';
  return [isLeft ? amounts.bytes(delivered) : 0n];
}

function answerDues(facts: Facts, call: Call, amounts: CallAmounts): readonly bigint[] {
  const { request, wasLost } = call;
  const { isKeyed, route } = request.ask;
  const isCounted = call.plan().result !== 'uncounted';
  const full = isCounted ? amounts.exact : amounts.bytes(text);
  const delivered = deliveredOf(call);
  // An equal request may have replaced a lost call: the documents do not define who pays then.
  if (wasLost && !isKeyed && facts.script.adoptRetries) return [0n, full];
  if (delivered !== '' && !isCounted && !hasResult(request)) {
    // Without counts the delivered text is known; a follower or a retry may have had more.
    const isMore = isKeyed || isReceived(facts, call);
    return isMore ? [amounts.bytes(delivered), full] : [amounts.bytes(delivered)];
  }
  if (isReceived(facts, call) || (delivered !== '' && !isKeyed)) return [full];
  if (isKeyed) {
    const isCollectable = facts.script.storeAnswers && route !== 'embed';
    if (!isCollectable) return [0n];
    return wasLost ? [0n, full] : [full];
  }
  return isUnsure(facts, call) && mayBeAdopted(facts, call) ? [0n, full] : [0n];
}

/** The minimum and maximum of a user's wallet in a month. */
export function heldOf(facts: Facts, calls: readonly Call[]): readonly [bigint, bigint] {
  const mostOf = (some: readonly Call[]) =>
    some.reduce((sum, each) => sum + each.amounts().most, 0n);
  const unclaimed = calls.filter((call) => isUnclaimed(facts, call) && deliveredOf(call) === '');
  const unsure = unclaimed.filter((call) => isUnsure(facts, call));
  const running = calls.filter(({ state }) => state === 'running');
  const least = mostOf(running) + mostOf(unclaimed) - mostOf(unsure);
  return [least, least + mostOf(unsure)];
}
