import { aimock } from './aimock.ts';
import { openAiMockApi } from './openai-mock-api.ts';
import type { Stranger } from './stranger.ts';

/** The servers of a run. */
export const strangers: readonly Stranger[] = [aimock, openAiMockApi];
