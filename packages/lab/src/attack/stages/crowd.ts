import { attackApps, ordinaryAsk } from '../accounts.ts';
import { atOnce } from '../callers.ts';
import { spendRest } from '../spend-rest.ts';
import { countOf, indexes, type StageParts, type StageResult } from './stage.ts';

const calls = 300;

/** Each admitted call runs until all have asked. */
export async function crowd(parts: StageParts): Promise<StageResult> {
  const app = attackApps.crowd;
  const account = app.name;
  const told = await atOnce(indexes(calls), calls, (index) =>
    parts.callers.call(account, ordinaryAsk(app, { ...parts, account, index })),
  );
  await spendRest(parts, account);
  const admitted = countOf(told, 'answered');
  return {
    name: account,
    line: `${calls} calls at once, ${calls - admitted} refused`,
    crowd: { account, fits: app.fits, admitted },
  };
}
