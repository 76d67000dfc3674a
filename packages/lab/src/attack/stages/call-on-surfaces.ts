import { labelOf } from '../arena/accounts.ts';
import { atOnce } from '../arena/callers.ts';
import type { PlatformInstructions } from '../arena/planned-call.ts';
import { indexes, type StageParts } from '../arena/stage.ts';
import { sendOn, surfaceCall, surfaceRoutes } from '../arena/surfaces.ts';
import type { CallResult } from '../books/books.ts';

export interface SurfaceCallsRequest {
  readonly account: string;
  readonly apiKey: string;
  readonly times: number;
  readonly firstIndex: number;
  readonly instructions: PlatformInstructions;
  readonly maxTokens?: number;
  readonly mayLeave?: boolean;
  readonly userOf?: (index: number) => string;
}

export function callOnSurfaces(
  { arena, callers, chance }: StageParts,
  request: SurfaceCallsRequest,
): Promise<CallResult[]> {
  const { account, apiKey, firstIndex, instructions, maxTokens, mayLeave = false } = request;
  const deck = chance.shuffled(
    indexes(request.times).flatMap((time) => surfaceRoutes.map((surface) => ({ surface, time }))),
  );
  return atOnce([...deck.entries()], deck.length, ([at, { surface, time }]) => {
    const index = firstIndex + at;
    const userId = request.userOf?.(index);
    const call = surfaceCall(surface, labelOf(account, index), { maxTokens, instructions, userId });
    const leaves = mayLeave && time === 0 && surface.ending !== undefined;
    return callers.callBy(account, call, (tries) => {
      const target = { url: anyUrl(), apiKey };
      return sendOn(target, call, { tries, isDisconnected: leaves && tries === 0 });
    });
  });

  function anyUrl(): string {
    const urls = arena.urls();
    return urls[chance.below(urls.length)] ?? '';
  }
}
