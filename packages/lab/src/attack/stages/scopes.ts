import { createClient } from '@model-gateway/sdk';
import { formatUsd } from '@model-gateway/server/lib/money';
import { cappedKey, scopeCap, scopedTold } from '../arena/accounts.ts';
import { isHeldTo, type ScopeCrowd, scopeCrowds } from '../arena/scope-crowds.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';
import { surfaceRoutes } from '../arena/surfaces.ts';
import type { ScopeBook, ToldCall } from '../books/books.ts';
import { askOnSurfaces } from './ask-on-surfaces.ts';

const crowded = 2;
const smallest = 1;
const leastTokens = 16;

/**
 * Seven caps, inner ones full first, then the smallest call of each. The full cap must be the one
 * that refuses.
 */
export async function scopes(parts: StageParts): Promise<StageResult> {
  const told = new Map<ScopeCrowd, readonly ToldCall[]>();
  const waves = Map.groupBy(scopeCrowds, ({ wave }) => wave);
  let first = 0;
  const ask = async (crowd: ScopeCrowd) => {
    const { app, userId, hasCappedKey } = crowd;
    const runKey = crowd.isInRun && (await makeRun(parts, app, scopeCap(crowd.scope)));
    const firstIndex = first;
    first += surfaceRoutes.length * (crowded + smallest);
    const on = {
      ...{ account: app, apiKey: runKey ?? parts.arena.key(hasCappedKey ? cappedKey : app) },
      ...{
        told: scopedTold,
        firstIndex,
        userOf: (index: number) => userId ?? `u${index}`,
      },
    };
    const all = await askOnSurfaces(parts, { ...on, times: crowded, mayLeave: true });
    const secondIndex = firstIndex + all.length;
    const rest = { ...on, firstIndex: secondIndex, times: smallest, maxTokens: leastTokens };
    told.set(crowd, [...all, ...(await askOnSurfaces(parts, rest))]);
  };
  for (const wave of waves.values()) await Promise.all(wave.map(ask));
  const calls = [...told.values()].flat();
  return {
    name: 'scopes',
    line: `${calls.length} calls against ${scopeCrowds.length} nested budgets, ${countOf(calls, 'refused')} rejected`,
    scopes: scopeCrowds.map((crowd) => bookOf(crowd, told)),
  };
}

async function makeRun({ arena }: StageParts, app: string, cap: bigint): Promise<string> {
  const [baseUrl = ''] = arena.urls();
  const client = createClient({ baseUrl: `${baseUrl}/v1`, apiKey: arena.key(app) });
  const wanted = { maxCostUsd: formatUsd(cap), expiresInMs: 3_600_000 };
  return (await client.createRun(wanted)).key;
}

function bookOf(crowd: ScopeCrowd, told: ReadonlyMap<ScopeCrowd, readonly ToldCall[]>): ScopeBook {
  const { scope: name, fits } = crowd;
  const labelsOf = (crowds: readonly ScopeCrowd[]) =>
    new Set(crowds.flatMap((each) => told.get(each) ?? []).map(({ label }) => label));
  const held = scopeCrowds.filter((each) => isHeldTo(each, name));
  return {
    ...{ name, fits, capPicoUsd: scopeCap(name) },
    ...{ labels: labelsOf(held), crowd: labelsOf([crowd]) },
  };
}
