import { sleep } from '../../lib/clock.ts';
import type { Arena } from './arena.ts';
import { attackApps, attackModels } from './attack-yaml.ts';
import { atOnce, type CallOutcome, callUntilAnswered } from './callers.ts';

/** Calls at once against a cap that fits 37: the slow model keeps every admitted one running. */
export function attackConcurrency(arena: Arena): Promise<CallOutcome[]> {
  const calls = 300;
  return atOnce(calls, calls, (index) =>
    call(arena, attackApps.concurrency.name, attackModels.slowly, `concurrency-${index}`),
  );
}

/** Callers that never pause, while services are killed every second or two. */
export async function attackWithKills(arena: Arena, lastsMs: number): Promise<CallOutcome[]> {
  const { clock, ids } = arena.shell;
  const endsMs = clock.monotonic() + lastsMs;
  const outcomes: CallOutcome[] = [];
  let calls = 0;
  const caller = async () => {
    while (clock.monotonic() < endsMs) {
      const model = calls % 20 === 0 ? attackModels.slowly : attackModels.quick;
      outcomes.push(await call(arena, attackApps.kills.name, model, `kills-${calls++}`));
    }
  };
  const killer = async () => {
    for (let kills = 0; clock.monotonic() < endsMs; kills++) {
      await sleep(clock, 500 + ids.random() * 1_500);
      await arena.killAndRestart(kills % arena.urls().length);
    }
  };
  await Promise.all([killer(), ...Array.from({ length: 32 }, caller)]);
  return outcomes;
}

/** Each logical call is sent eight times at once, at every service. */
export async function attackWithDuplicates(arena: Arena): Promise<CallOutcome[]> {
  const keys = 60;
  const copies = 8;
  return atOnce(keys * copies, 64, (index) => {
    const key = `duplicates-${Math.floor(index / copies)}`;
    const model = index % (copies * 2) < copies ? attackModels.slowly : attackModels.quick;
    return call(arena, attackApps.duplicates.name, model, key);
  });
}

function call(arena: Arena, app: string, model: string, key: string): Promise<CallOutcome> {
  const { clock, ids } = arena.shell;
  return callUntilAnswered({
    urls: arena.urls,
    apiKey: arena.key(app),
    model,
    key,
    pick: ids.random,
    wait: (ms) => sleep(clock, ms),
  });
}
