import { attackApps, labelOf } from '../arena/accounts.ts';
import { atOnce } from '../arena/callers.ts';
import { type ServedModel, servedModels } from '../arena/served.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, type StageParts, type StageResult } from '../arena/stage.ts';
import {
  type Surface,
  type SurfaceCall,
  sendOn,
  surfaceCall,
  surfaceRoutes,
} from '../arena/surfaces.ts';
import type { ExpectedBooking } from '../books/books.ts';

const callersAtOnce = 16;
const callsEach = 4;

interface Ordered {
  readonly model: ServedModel;
  readonly surface: Surface;
}

const orders: readonly Ordered[] = servedModels.flatMap((model) =>
  surfaceRoutes
    .filter(({ wire }) => wire === model.wire)
    .flatMap((surface) => Array.from({ length: callsEach }, () => ({ model, surface }))),
);

/**
 * Requests leave tier and region open. Each reserves the highest price, and its booking has exactly
 * the reported one.
 */
export async function served(parts: StageParts): Promise<StageResult> {
  const { arena, callers, chance } = parts;
  const account = attackApps.served.name;
  const apiKey = arena.key(account);
  const calls = chance.shuffled(orders).map(orderedCall(account));
  const results = await atOnce(calls, callersAtOnce, (call) =>
    callers.callBy(account, call, (tries) => {
      const urls = arena.urls();
      const url = urls[chance.below(urls.length)] ?? '';
      return sendOn({ url, apiKey }, call, { tries });
    }),
  );
  await spendRest(parts, account);
  const expectedBookings = calls.map(({ label }): ExpectedBooking => ({ label, booking: 'exact' }));
  return {
    name: account,
    line: `${calls.length} calls whose platform chooses tier and region`,
    crowd: { account, fits: calls.length, admitted: countOf(results, 'answered') },
    expectedBookings,
  };
}

function orderedCall(account: string) {
  return ({ model, surface }: Ordered, index: number): SurfaceCall => {
    const bodyOf: Surface['bodyOf'] = (...parts) => ({
      ...surface.bodyOf(...parts),
      model: model.id,
    });
    const reports = model.states;
    const instructions = { text: 'one two three', ...(reports !== undefined && { reports }) };
    return surfaceCall({ ...surface, bodyOf }, labelOf(account, index), { instructions });
  };
}
