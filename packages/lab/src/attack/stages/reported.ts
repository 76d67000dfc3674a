import { attackApps, labelOf, reportedRates } from '../arena/accounts.ts';
import { atOnce } from '../arena/callers.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';
import { type SurfaceCall, sendOn, surfaceCall } from '../arena/surfaces.ts';
import type { ExpectedBooking } from '../books/books.ts';
import { answeredCases, type ReportedCase, rejectedCases } from './reported-cases.ts';

const callersAtOnce = 16;
const rejectedIndex = 10_000;

interface Dealt {
  readonly call: SurfaceCall;
  readonly expected: ExpectedBooking;
}

/**
 * Rejections with status 200 bill nothing; later responses report counts in other ways. The budget
 * fits every reservation, unless a rejection is booked.
 */
export async function reported(parts: StageParts): Promise<StageResult> {
  const { arena, callers, chance } = parts;
  const account = attackApps.reported.name;
  const apiKey = arena.key(account);
  const rejected = chance.shuffled(rejectedCases).map(deal(account, rejectedIndex));
  const answered = chance.shuffled(answeredCases).map(deal(account, 0));
  const targetOf = () => {
    const urls = arena.urls();
    return { url: urls[chance.below(urls.length)] ?? '', apiKey };
  };
  await atOnce(rejected, callersAtOnce, async ({ call }) => {
    const { label, maximumCostPicoUsd } = call;
    const end = await sendOn(targetOf(), call, { tries: 0 });
    // The instructions require the rejection.
    const isRejected = end.kind === 'failed' || end.kind === 'denied';
    callers.note([
      { account, label, maximumCostPicoUsd, ...(isRejected ? { kind: 'left' } : end) },
    ]);
  });
  const results = await atOnce(answered, callersAtOnce, ({ call }) =>
    callers.callBy(account, call, (tries) => sendOn(targetOf(), call, { tries })),
  );
  await spendRest(parts, account);
  return {
    name: account,
    line: `${rejected.length} rejections with status 200, ${answered.length} answers with other names, terms, costs and zeros`,
    crowd: { account, fits: answered.length, admitted: countOf(results, 'answered') },
    expectedBookings: [...rejected, ...answered].map(({ expected }) => expected),
  };
}

function deal(account: string, firstIndex: number) {
  return ({ surface, instructions, ...must }: ReportedCase, index: number): Dealt => {
    const label = labelOf(account, firstIndex + index);
    const call = surfaceCall(surface, label, { instructions, rates: reportedRates });
    return { call, expected: { label, ...must } };
  };
}
