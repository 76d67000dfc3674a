import { isForOthers } from '../others/scenarios.ts';
import type { Side } from './side.ts';
import { prepareLiteLlm, startLiteLlm } from './start-litellm.ts';

/** LiteLLM's proxy, from Python's packages: one worker, no key, no database, no money. */
export const liteLlm: Side = {
  name: 'LiteLLM 1.93.0',
  isIn: isForOthers,
  prepare: prepareLiteLlm,
  start: (scope, setting) => startLiteLlm(scope, setting, false),
};
