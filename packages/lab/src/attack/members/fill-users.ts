import { createClient, LlmError } from '@model-gateway/sdk';
import { attackApps, labelOf, memberPicoUsd, unusualUserFits } from '../arena/accounts.ts';
import type { Arena } from '../arena/arena.ts';
import { atOnce } from '../arena/callers.ts';
import { indexes, type StageParts } from '../arena/stage.ts';
import type { CallResult, Crowd } from '../books/books.ts';
import type { BudgetCall } from '../books/budget-rows.ts';
import { sum } from '../books/spent-caps.ts';
import { createPaddedCall } from './padded-call.ts';
import { refusedUserIds } from './user-ids.ts';

export interface FilledUsers {
  readonly callResults: readonly CallResult[];
  readonly crowd: Crowd;
  /** Users admitted too often or too seldom, and wrongly accepted ids. */
  readonly broken: readonly string[];
}

const firstIndex = 70_000;
const callersAtOnce = 32;

export async function fillUsers(
  { arena, callers, chance }: StageParts,
  calls: readonly BudgetCall[],
  userIds: readonly string[],
): Promise<FilledUsers> {
  const account = attackApps.odd.name;
  const users = userIds.map((userId, at) => {
    const own = calls.filter((call) => call.app === account && call.userId === userId);
    const remainingPicoUsd =
      BigInt(unusualUserFits) * memberPicoUsd - sum(own, ({ picoUsd }) => picoUsd);
    const fits = remainingPicoUsd < 0n ? 0 : Number(remainingPicoUsd / memberPicoUsd);
    const first = firstIndex + at * (unusualUserFits + 1);
    return { userId, fits, labels: indexes(fits + 1).map((n) => labelOf(account, first + n)) };
  });
  const plannedCalls = users.flatMap(({ userId, labels }) =>
    labels.map((label) => createPaddedCall({ label, instructions: { delayMs: 100 }, userId })),
  );
  const callResults = await atOnce(chance.shuffled(plannedCalls), callersAtOnce, (planned) =>
    callers.call(account, planned),
  );
  const answered = new Set(
    callResults.flatMap((call) => (call.kind === 'answered' ? call.label : [])),
  );
  const wrong = users.flatMap(({ userId, fits, labels }) => {
    const admitted = labels.filter((label) => answered.has(label)).length;
    if (admitted === fits) return [];
    return `the user ${JSON.stringify(userId)}: ${admitted} calls were admitted where ${fits} fit`;
  });
  const fits = users.reduce((total, user) => total + user.fits, 0);
  return {
    callResults,
    crowd: { account, fits, admitted: answered.size },
    broken: [...wrong, ...(await acceptedIds(arena))],
  };
}

/** Ids that the API must reject before any budget. */
async function acceptedIds(arena: Arena): Promise<readonly string[]> {
  const [url = ''] = arena.urls();
  const apiKey = arena.key(attackApps.odd.name);
  const client = createClient({ baseUrl: `${url}/v1`, apiKey, maxAttempts: 1 });
  const codes = refusedUserIds.map(async (userId) => {
    const { request } = createPaddedCall({ label: '', instructions: {}, userId: 'nobody' });
    const code = await client.chat({ ...request, userId }).then(
      () => 'OK',
      (error: unknown) => (LlmError.is(error) ? error.code : String(error)),
    );
    return code === 'INVALID'
      ? []
      : [`the user id ${JSON.stringify(userId).slice(0, 40)} ended with ${code}`];
  });
  return (await Promise.all(codes)).flat();
}
