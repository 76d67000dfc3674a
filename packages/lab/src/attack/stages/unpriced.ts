import { attackApps, createOrdinaryCall } from '../arena/accounts.ts';
import { atOnce } from '../arena/callers.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, indexes, type StageParts, type StageResult } from '../arena/stage.ts';

const calls = 120;
const forbiddenCalls = 20;

/** The platform bills all of them at the catalog's highest rates. */
export async function unpriced(parts: StageParts): Promise<StageResult> {
  const app = attackApps.unpriced;
  const account = app.name;
  const results = await atOnce(indexes(calls), calls, (index) =>
    parts.callers.call(account, createOrdinaryCall(app, { ...parts, account, index })),
  );
  await spendRest(parts, account, { unpriced: true });
  return {
    name: account,
    line: `${calls} calls at once of ${calls} models that are in no catalog`,
    crowd: { account, fits: app.fits, admitted: countOf(results, 'answered') },
  };
}

/** For an app that rejects such models: none may reach the platform. */
export async function forbidden(parts: StageParts): Promise<StageResult> {
  const app = attackApps.forbidden;
  const account = app.name;
  const results = await atOnce(indexes(forbiddenCalls), forbiddenCalls, (index) =>
    parts.callers.call(account, createOrdinaryCall(app, { ...parts, account, index })),
  );
  return {
    name: account,
    line: `${forbiddenCalls} such calls of an app that rejects them`,
    crowd: { account, fits: 0, admitted: countOf(results, 'answered') },
  };
}
