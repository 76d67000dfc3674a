import { sleep } from '@model-gateway/server/lib/clock';
import { attackApps, createOrdinaryCall, floodApps } from '../arena/accounts.ts';
import { announceBodies, type Flooder, sendRefusedBodies } from '../arena/flooders.ts';
import { spendRest } from '../arena/spend-rest.ts';
import { countOf, indexes, type StageParts, type StageResult } from '../arena/stage.ts';

/** Their announcements would fill the capacity for bodies. */
const announcedAtOnce = 64;
const refusedAtOnce = 1;
/** The gateway meets the flood before the first call. */
const headStartMs = 1_000;
const pauseMs = 25;
const answeredPercentMin = 90;

/**
 * One key announces bodies and sends none, another sends invalid ones. At least nine of ten small
 * calls of a third key must succeed.
 */
export async function floods(parts: StageParts): Promise<StageResult> {
  const { arena, callers } = parts;
  const { clock } = arena.context;
  const app = attackApps.victim;
  const account = app.name;
  const flooders = arena
    .urls()
    .flatMap((url): readonly Flooder[] => [
      announceBodies({ url, clock, apiKey: arena.key(floodApps.announcer) }, announcedAtOnce),
      sendRefusedBodies(
        { url, clock, apiKey: arena.key(floodApps.bomber) },
        refusedAtOnce,
        parts.chance,
      ),
    ]);
  await sleep(clock, headStartMs);
  const results = [];
  for (const index of indexes(app.fits)) {
    results.push(
      await callers.callInVain(account, createOrdinaryCall(app, { ...parts, account, index })),
    );
    await sleep(clock, pauseMs);
  }
  await Promise.all(flooders.map((flooder) => flooder.stop()));
  await spendRest(parts, account);
  const [announced = 0, refused = 0] = [0, 1].map((kind) =>
    flooders.reduce((total, flooder, at) => total + (at % 2 === kind ? flooder.count() : 0), 0),
  );
  const answered = countOf(results, 'answered');
  return {
    name: account,
    line: `${answered} of ${app.fits} calls completed during ${announced} announced bodies, ${refused} rejected`,
    ...(answered * 100 < app.fits * answeredPercentMin && {
      broken: [
        `${account}: completed ${answered} of ${app.fits} calls during floods of other apps`,
      ],
    }),
  };
}
