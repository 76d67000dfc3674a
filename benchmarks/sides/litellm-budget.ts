import { isForOthers } from '../others/scenarios.ts';
import { proveSpend } from './prove-spend.ts';
import type { Side } from './side.ts';
import { prepareLiteLlm, startLiteLlm } from './start-litellm.ts';

/**
 * LiteLLM's proxy with a budget of its provider, in the memory of its process. It checks the
 * spending before a call and updates it after the call. Budgets of keys require a database, whose
 * client downloads programs that no lock file pins.
 */
export const liteLlmWithBudget: Side = {
  name: 'LiteLLM 1.93.0, budget',
  isIn: (scenario) => scenario.operation === 'chat' && isForOthers(scenario),
  prepare: prepareLiteLlm,
  async start(scope, setting) {
    const running = await startLiteLlm(scope, setting, true);
    await proveSpend(running.target('Hello'), ['/provider/budgets'], 'spend');
    return running;
  },
};
