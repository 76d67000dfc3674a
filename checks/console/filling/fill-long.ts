import { issueKey, rotateKey } from '../../../packages/server/src/operations/keys/keys.ts';
import type { House } from '../house.ts';
import { call } from '../stories/visit.ts';
import { fillHouse } from './fill-house.ts';
import { cheapModel, dearModel, longApp, longModel } from './long-configuration.ts';

/** User ids in their owners' script. */
const arabic = 'مستخدم-قسم-المالية-في-الشركة';
const emoji = '👩‍👩‍👧‍👦🧑🏽‍🚀';
const users = [arabic, emoji, `user-${'0'.repeat(59)}`] as const;
const calls = 3_000;
const graceMs = 86_400_000;
const email = `${'a-long-name-of-a-team.'.repeat(2)}payments@subsidiary.acme.example`;

/** Calls with the longest names, keys in rotation, and the smallest and the largest amount. */
export async function fillLong(house: House): Promise<{ callId: string; keyId: string }> {
  const { service } = house;
  await fillHouse(service, calls);
  const { id: keyId } = await issueKey(service.admin, { app: longApp, email });
  await rotateKey(service.admin, keyId, { graceMs });
  const { key } = await issueKey(service.admin, { app: longApp, email });
  await service.registry.refresh();
  let callId = '';
  for (const userId of users) {
    for (const model of [longModel, cheapModel, dearModel]) {
      const made = await call(house, longApp, { key, model, userId });
      if (made.status !== 200) throw new Error(`a call to fill in has failed: ${made.status}`);
      callId = made.callId ?? callId;
    }
  }
  await call(house, longApp, { key, model: 'no-such-model' });
  // Rejected: the budget is used up.
  for (const app of ['small', 'tiny']) await call(house, app);
  return { callId, keyId };
}
