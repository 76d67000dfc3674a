import { attackModels, memberCall, memberPicoUsd } from '../arena/accounts.ts';
import type { PlannedCall, PlatformInstructions } from '../arena/planned-call.ts';

/** Its body has the same size for user ids of any length. */
export function createPaddedCall(parts: {
  readonly label: string;
  readonly instructions: PlatformInstructions;
  readonly userId: string | undefined;
}): PlannedCall {
  const { label, instructions, userId } = parts;
  const bills = { inputTokens: memberCall.input, outputTokens: 'all' };
  const order = JSON.stringify({ label, ...instructions, bills });
  const requestOf = (content: string) => ({
    ...{ model: attackModels.asked, messages: [{ role: 'user', content } as const] },
    ...{ maxTokens: memberCall.output, ...(userId !== undefined && { userId }) },
  });
  // The longest form of its text determines the reservation: one id is longer when decomposed.
  const longest = JSON.stringify(requestOf(order)).normalize('NFD');
  const missing = memberCall.bodyBytes - Buffer.byteLength(longest);
  const request = requestOf(order + ' '.repeat(missing));
  return { label, request, maximumCostPicoUsd: memberPicoUsd };
}
