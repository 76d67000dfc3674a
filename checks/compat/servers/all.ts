import { aimock } from './aimock.ts';
import type { ForeignServer } from './foreign-server.ts';
import { openAiMockApi } from './openai-mock-api.ts';

/** The servers of a run. */
export const foreignServers: readonly ForeignServer[] = [aimock, openAiMockApi];
