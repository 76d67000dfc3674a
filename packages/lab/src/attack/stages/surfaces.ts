import { attackApps, labelOf } from '../arena/accounts.ts';
import { attackLimits } from '../arena/attack-yaml.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';
import { type SurfaceCall, sendOn, surfaceCall, surfaceRoutes } from '../arena/surfaces.ts';
import type { CallResult } from '../books/books.ts';
import { callOnSurfaces } from './call-on-surfaces.ts';

/** For each route: calls that fit, then a crowd of which few fit. */
const first = 2;
const crowded = 12;
/** A model with the responses API accepts no smaller limit. */
const leastTokens = 16;
const keylessIndex = 80_000;

/**
 * All routes share one budget, each call at the same cost: calls that fit, a crowd, then the
 * smallest calls. Late responses are collected, even with an empty budget.
 */
export async function surfaces(parts: StageParts): Promise<StageResult> {
  const { arena, callers, chance } = parts;
  const { name: account, fits } = attackApps.surfaces;
  let index = 0;
  const anyUrl = () => {
    const urls = arena.urls();
    return urls[chance.below(urls.length)] ?? '';
  };
  const callAll = async (times: number, maxTokens?: number, mayLeave = false) => {
    const on = {
      account,
      apiKey: arena.key(account),
      instructions: attackApps.surfaces.instructions,
      mayLeave,
    };
    const firstIndex = index;
    index += times * surfaceRoutes.length;
    return callOnSurfaces(parts, { ...on, times, firstIndex, ...(maxTokens && { maxTokens }) });
  };
  const keyless = keylessCalls(account).map((call) => ({ call, url: anyUrl() }));
  /** To the same service: another one would not know who disconnected. */
  const callKeyless = (triesBefore: number) =>
    Promise.all(
      keyless.map(({ call, url }) => {
        const target = { url, apiKey: arena.key(account) };
        const send = (tries: number) => sendOn(target, call, { tries: triesBefore + tries });
        return callers.callBy(account, call, send);
      }),
    );
  const [late, ...fit] = await Promise.all([callKeyless(0), callAll(first, undefined, true)]);
  const results = [...late, ...fit.flat(), ...(await callAll(crowded))];
  await spendRest(parts, account);
  results.push(...(await callAll(1, leastTokens)));
  // One is marked as a retry, the other is not.
  const again = [...(await callKeyless(2)), ...(await callKeyless(0))];
  const admitted = countOf(results, 'answered');
  const calls = results.length + again.length;
  return {
    name: account,
    line: `${calls} calls in 3 protocols, ${late.length} collected late without a key, ${calls - admitted} rejected`,
    crowd: { account, fits, admitted },
    broken: repeatedResults(again),
  };
}

/** Only routes without streams; the responses come after the time limit. */
function keylessCalls(account: string): readonly SurfaceCall[] {
  const instructions = {
    ...attackApps.surfaces.instructions,
    delayMs: attackLimits.modelCallMs + 1_500,
  };
  return surfaceRoutes
    .filter(({ ending, isEmbedding }) => ending === undefined && isEmbedding !== true)
    .map((surface, index) => ({
      ...surfaceCall(surface, labelOf(account, keylessIndex + index), { instructions }),
      isKeyless: true,
    }));
}

/** The budget is empty: every response must be a collected one. */
function repeatedResults(again: readonly CallResult[]): readonly string[] {
  return again.flatMap(({ kind, label }) =>
    kind === 'answered' ? [`${label}: a result was sent twice to requests without a key`] : [],
  );
}
