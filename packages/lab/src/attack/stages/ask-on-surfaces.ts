import { labelOf } from '../arena/accounts.ts';
import type { Told } from '../arena/ask.ts';
import { atOnce } from '../arena/callers.ts';
import { indexes, type StageParts } from '../arena/stage.ts';
import { sendOn, surfaceCall, surfaceRoutes } from '../arena/surfaces.ts';
import type { ToldCall } from '../books/books.ts';

export interface AskedOnSurfaces {
  readonly account: string;
  readonly apiKey: string;
  readonly times: number;
  readonly firstIndex: number;
  readonly told: Told;
  readonly maxTokens?: number;
  readonly mayLeave?: boolean;
  readonly userOf?: (index: number) => string;
}

export function askOnSurfaces(
  { arena, callers, chance }: StageParts,
  asked: AskedOnSurfaces,
): Promise<ToldCall[]> {
  const { account, apiKey, firstIndex, told, maxTokens, mayLeave = false } = asked;
  const deck = chance.shuffled(
    indexes(asked.times).flatMap((time) => surfaceRoutes.map((surface) => ({ surface, time }))),
  );
  return atOnce([...deck.entries()], deck.length, ([at, { surface, time }]) => {
    const index = firstIndex + at;
    const userId = asked.userOf?.(index);
    const call = surfaceCall(surface, labelOf(account, index), { maxTokens, told, userId });
    const leaves = mayLeave && time === 0 && surface.ending !== undefined;
    return callers.callBy(account, call, (tries) => {
      const target = { url: anyUrl(), apiKey };
      return sendOn(target, call, { tries, isLeft: leaves && tries === 0 });
    });
  });

  function anyUrl(): string {
    const urls = arena.urls();
    return urls[chance.below(urls.length)] ?? '';
  }
}
