import { attackApps, labelOf } from '../accounts.ts';
import { atOnce } from '../callers.ts';
import { spendRest } from '../spend-rest.ts';
import { sendOn, surfaceCall, surfaceRoutes } from '../surfaces.ts';
import { countOf, indexes, type StageParts, type StageResult } from './stage.ts';

/** Calls on each route: some that all fit, a crowd of which few do, and the smallest at the end. */
const first = 2;
const crowded = 12;
/** A model that speaks responses can be asked for no less. */
const leastTokens = 16;

/**
 * Calls on `/v1`, `/openai` and `/anthropic` against one cap, each at the same cost: first those
 * that fit, of which half the streams are left and collected with their keys; then a crowd of all
 * of them; and when nothing is left, the smallest call of each.
 */
export async function surfaces(parts: StageParts): Promise<StageResult> {
  const { arena, callers, chance } = parts;
  const { name: account, fits } = attackApps.surfaces;
  let index = 0;
  const ask = (times: number, maxTokens?: number, leaves = false) => {
    const deck = chance.shuffled(
      indexes(times).flatMap((time) => surfaceRoutes.map((surface) => ({ surface, time }))),
    );
    return atOnce(deck, deck.length, ({ surface, time }) => {
      const call = surfaceCall(surface, labelOf(account, index++), maxTokens);
      const isLeft = leaves && time === 0 && surface.ending !== undefined;
      return callers.callBy(account, call, (tries) => {
        const urls = arena.urls();
        const url = urls[chance.below(urls.length)] ?? '';
        return sendOn({ url, apiKey: arena.key(account) }, call, isLeft && tries === 0);
      });
    });
  };
  const told = [...(await ask(first, undefined, true)), ...(await ask(crowded))];
  await spendRest(parts, account);
  told.push(...(await ask(1, leastTokens)));
  const admitted = countOf(told, 'answered');
  return {
    name: account,
    line: `${told.length} calls in 3 protocols, whole and streamed, ${told.length - admitted} refused`,
    crowd: { account, fits, admitted },
  };
}
