import { createClient } from '@model-gateway/sdk';
import { formatUsd } from '@model-gateway/server/lib/money';
import { cappedKey, scopeCap, scopedInstructions } from '../arena/accounts.ts';
import { isHeldTo, type ScopeCrowd, scopeCrowds } from '../arena/scope-crowds.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';
import { surfaceRoutes } from '../arena/surfaces.ts';
import type { CallResult, ScopeBook } from '../books/books.ts';
import { callOnSurfaces } from './call-on-surfaces.ts';

const crowded = 2;
const smallest = 1;
const leastTokens = 16;

/**
 * Fills seven budgets, inner ones first, then sends the smallest call of each. The full budget must
 * reject it.
 */
export async function scopes(parts: StageParts): Promise<StageResult> {
  const results = new Map<ScopeCrowd, readonly CallResult[]>();
  const waves = Map.groupBy(scopeCrowds, ({ wave }) => wave);
  let first = 0;
  const fillScope = async (crowd: ScopeCrowd) => {
    const { app, userId, hasCappedKey } = crowd;
    const runKey = crowd.isInRun && (await makeRun(parts, app, scopeCap(crowd.scope)));
    const firstIndex = first;
    first += surfaceRoutes.length * (crowded + smallest);
    const on = {
      ...{ account: app, apiKey: runKey ?? parts.arena.key(hasCappedKey ? cappedKey : app) },
      ...{
        instructions: scopedInstructions,
        firstIndex,
        userOf: (index: number) => userId ?? `u${index}`,
      },
    };
    const all = await callOnSurfaces(parts, { ...on, times: crowded, mayLeave: true });
    const secondIndex = firstIndex + all.length;
    const rest = { ...on, firstIndex: secondIndex, times: smallest, maxTokens: leastTokens };
    results.set(crowd, [...all, ...(await callOnSurfaces(parts, rest))]);
  };
  for (const wave of waves.values()) await Promise.all(wave.map(fillScope));
  const calls = [...results.values()].flat();
  return {
    name: 'scopes',
    line: `${calls.length} calls against ${scopeCrowds.length} nested budgets, ${countOf(calls, 'refused')} rejected`,
    scopes: scopeCrowds.map((crowd) => bookOf(crowd, results)),
  };
}

async function makeRun({ arena }: StageParts, app: string, cap: bigint): Promise<string> {
  const [baseUrl = ''] = arena.urls();
  const client = createClient({ baseUrl: `${baseUrl}/v1`, apiKey: arena.key(app) });
  const runRequest = { maxCostUsd: formatUsd(cap), expiresInMs: 3_600_000 };
  return (await client.createRun(runRequest)).key;
}

function bookOf(
  crowd: ScopeCrowd,
  results: ReadonlyMap<ScopeCrowd, readonly CallResult[]>,
): ScopeBook {
  const { scope: name, fits } = crowd;
  const labelsOf = (crowds: readonly ScopeCrowd[]) =>
    new Set(crowds.flatMap((each) => results.get(each) ?? []).map(({ label }) => label));
  const held = scopeCrowds.filter((each) => isHeldTo(each, name));
  return {
    ...{ name, fits, capPicoUsd: scopeCap(name) },
    ...{ labels: labelsOf(held), crowd: labelsOf([crowd]) },
  };
}
