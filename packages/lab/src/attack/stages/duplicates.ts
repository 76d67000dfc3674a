import { attackApps, ordinaryAsk } from '../accounts.ts';
import { atOnce } from '../callers.ts';
import { spendRest } from '../spend-rest.ts';
import { indexes, type StageParts, type StageResult } from './stage.ts';

const copies = 8;
const callersAtOnce = 120;

/** Eight times at once under one key, at every service, and once more later. */
export async function duplicates(parts: StageParts): Promise<StageResult> {
  const app = attackApps.duplicates;
  const account = app.name;
  const keys = indexes(app.fits);
  const send = (index: number) =>
    parts.callers.call(account, ordinaryAsk(app, { ...parts, account, index }));
  const told = await atOnce(
    keys.flatMap((key) => Array<number>(copies).fill(key)),
    callersAtOnce,
    send,
  );
  told.push(...(await atOnce(parts.chance.shuffled(keys), callersAtOnce, send)));
  await spendRest(parts, account);
  const ids = new Set(told.flatMap((call) => (call.kind === 'answered' ? call.callId : [])));
  return {
    name: account,
    line: `${told.length} requests under ${app.fits} keys: each key answered, and paid once`,
    crowd: { account, fits: app.fits, admitted: ids.size },
  };
}
