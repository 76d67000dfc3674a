import { amountsOfCall } from './amounts.ts';
import { duesOf, heldOf, isDue } from './due.ts';
import {
  attachedTo,
  type Call,
  deliveredOf,
  type Expected,
  expectedOf,
  type Facts,
  hasResult,
  isEqual,
  type Known,
  underKey,
} from './facts.ts';
import type { Books, Judge, Request } from './player.ts';
import { maxTokens, type Script } from './script.ts';

/** Judges a script only by the rule. */
export function createJudge(script: Script): Judge {
  const facts: Facts = { script, requests: [], calls: [] };
  const { requests, calls } = facts;
  let next: Expected = { kind: 'any' };
  let forgets: 'retries' | 'keys' | undefined;
  return {
    expects(ask) {
      next = expectedOf(facts, ask);
    },
    asked(request) {
      requests.push({ ...request, expected: next });
    },
    lost(callId) {
      Object.assign(callOf(facts, callId), { state: 'lost', wasLost: true });
    },
    corrected(callId, cost) {
      const call = callOf(facts, callId);
      call.wasPaid ||= call.paid > 0n;
      call.corrected = cost;
    },
    forgotten(what) {
      forgets = what;
    },
    check(books) {
      for (const request of requests) noteCall(facts, request, books);
      for (const call of calls) noteEnd(facts, call, books);
      if (forgets !== undefined) {
        for (const call of calls) {
          call.isForgotten = true;
          call.isKeyForgotten ||= forgets === 'keys';
        }
        forgets = undefined;
      }
      fail(facts, [
        ...requests.flatMap((request, at) => responseProblems(facts, request, at)),
        ...calls.flatMap((call) => callProblems(facts, call, books)),
        ...walletProblems(facts, books),
      ]);
    },
    end() {
      fail(
        facts,
        calls.flatMap((call) => receiptProblems(facts, call)),
      );
    },
  };
}

function callOf({ calls }: Facts, callId: string): Call {
  const call = calls.find(({ id }) => id === callId);
  if (call === undefined) throw new Error(`${callId} is not known`);
  return call;
}

/** A request has made a call. */
function noteCall({ calls }: Facts, request: Known, books: Books) {
  const { ownId: id, ask, body, made } = request;
  const row = books.holds.get(id) ?? books.calls.get(id);
  if (row === undefined || calls.some((call) => call.id === id)) return;
  const nth = calls.filter((call) => isEqual(call.request.ask, ask)).length;
  const plan = () => made[nth] ?? ask.plan;
  const amounts = () => amountsOfCall(body, plan(), maxTokens);
  calls.push({
    ...{ id, request, plan, amounts, month: row.month ?? '' },
    ...{ state: 'running', wasLost: false, isTakenOver: false, isForgotten: false },
    ...{ isKeyForgotten: false, corrected: undefined, wasPaid: false, paid: 0n, code: undefined },
  });
}

function noteEnd(facts: Facts, call: Call, { calls }: Books) {
  const row = calls.get(call.id);
  if (row === undefined) return;
  const { ask } = call.request;
  if (row.code !== 'LOST' && call.state !== 'ended') {
    call.state = 'ended';
    call.isTakenOver = call.wasLost && ask.isKeyed && underKey(facts, ask).at(-1) !== call;
  }
  call.code = row.code;
  call.paid = row.walletGrant + row.walletTopup;
}

function nameOf({ requests }: Facts, call: Call): string {
  const { route, isKeyed } = call.request.ask;
  const at = requests.findIndex(({ ownId }) => ownId === call.id) + 1;
  return `call of request ${at} (${route}, ${isKeyed ? 'key' : 'no key'}, ${call.plan().result})`;
}

/** Whether a request has got its required response. */
function responseProblems(facts: Facts, request: Known, at: number): readonly string[] {
  const { expected, caller, ownId, ask } = request;
  const callId = caller.headers().get('x-call-id');
  const problem = (what: string) => [`request ${at + 1} must ${what}`];
  if (caller.status() === 0) return [];
  if (expected.kind === 'invalid') {
    return caller.status() === 400 && callId === null ? [] : problem('be INVALID');
  }
  // A process that counted as dead returns the response of the call that the key names.
  const due = 'call' in expected ? expected.call.id : ownId;
  if (facts.calls.some(({ id, wasLost }) => id === due && wasLost)) return [];
  const isFixed = expected.kind === 'own' || 'call' in expected;
  if (isFixed && callId !== due) {
    return problem('call' in expected ? `get the ${nameOf(facts, expected.call)}` : 'make a call');
  }
  const call = facts.calls.find(({ id }) => id === callId);
  if (call === undefined || !hasResult(request)) return [];
  const isReplayed = caller.headers().get('idempotent-replayed') === 'true';
  if (ownId === callId) return isReplayed ? problem('not be marked as replayed') : [];
  if (ask.isKeyed) return isReplayed ? [] : problem('be marked as replayed');
  const isPaidByIt = call.paid > 0n && deliveredOf(call) === '';
  return isPaidByIt && isReplayed ? problem('pay, and not be marked as replayed') : [];
}

/** Whether the ledger rows of a call are right. */
function callProblems(facts: Facts, call: Call, books: Books): readonly string[] {
  const amounts = call.amounts();
  const hold = books.holds.get(call.id);
  if (hold !== undefined) {
    const held = hold.grantAmount + hold.topupAmount;
    return held === amounts.most
      ? []
      : [`${nameOf(facts, call)} holds ${held}, not ${amounts.most}`];
  }
  const row = books.calls.get(call.id);
  if (row === undefined) return [`${nameOf(facts, call)} is nowhere`];
  const problems: string[] = [];
  if (row.basis === 'exact' && row.cost !== amounts.exact) {
    problems.push(`${nameOf(facts, call)} costs ${row.cost}, not ${amounts.exact}`);
  }
  if (call.paid > amounts.most) {
    problems.push(`the wallet paid ${call.paid} for a reservation of ${amounts.most}`);
  }
  if (!isDue(facts, call, call.paid)) {
    const due = `${duesOf(facts, call).join(' or ')}, corrected ${call.corrected}`;
    problems.push(`${nameOf(facts, call)}: the wallet paid ${call.paid}, due ${due}, ${row.code}`);
  }
  return problems;
}

function walletProblems(facts: Facts, { wallets }: Books): readonly string[] {
  return wallets.flatMap(({ userId, month, spent, held }) => {
    const own = facts.calls.filter(
      (call) => call.request.ask.user === userId && call.month === month,
    );
    const paid = own.reduce((sum, call) => sum + call.paid, 0n);
    const [least, most] = heldOf(facts, own);
    const problems: string[] = [];
    if (spent !== paid) problems.push(`${userId} ${month} has spent ${spent}, not ${paid}`);
    if (held < least || held > most) {
      problems.push(`${userId} ${month} holds ${held}, not ${least}`);
    }
    return problems;
  });
}

/** Only by observations: nobody was charged without a response, or twice under a key. */
function receiptProblems(facts: Facts, call: Call): readonly string[] {
  const problems: string[] = [];
  const isSeen = attachedTo(facts, call).some(
    (each) => hasResult(each) || each.caller.text() !== '',
  );
  if (call.paid > 0n && !isSeen && !call.isKeyForgotten) {
    problems.push(`${nameOf(facts, call)}: charged ${call.paid} without a response`);
  }
  const mates = call.request.ask.isKeyed ? underKey(facts, call.request.ask) : [];
  const paid = mates.map((each) => each.paid).filter((each) => each > 0n);
  if (mates.at(-1) === call && paid.length > 1) {
    const sum = paid.reduce((total, each) => total + each, 0n);
    const dearest = mates
      .map((each) => each.corrected ?? each.amounts().exact)
      .reduce((most, each) => (each > most ? each : most), 0n);
    if (sum > dearest) problems.push(`${nameOf(facts, call)}: its key was charged ${sum}`);
  }
  return problems;
}

function fail({ requests }: Facts, problems: readonly string[]) {
  if (problems.length > 0) throw new Error([...problems, ...requests.map(traceOf)].join('\n'));
}

function traceOf({ caller, ownId }: Request, at: number): string {
  const callId = caller.headers().get('x-call-id');
  const whose = callId === ownId ? 'its own call' : `call ${callId}`;
  const words = `${caller.end()}, ${caller.lastWords()}, ${JSON.stringify(caller.text())}`;
  return `  request ${at + 1} saw ${whose}: ${words}`;
}
