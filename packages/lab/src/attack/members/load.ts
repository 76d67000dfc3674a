import { sleep } from '@model-gateway/server/lib/clock';
import { formatUsd } from '@model-gateway/server/lib/money';
import { correctCall } from '@model-gateway/server/operations/calls/corrections';
import { attackApps, labelOf, memberPicoUsd } from '../arena/accounts.ts';
import type { Arena } from '../arena/arena.ts';
import type { StageParts } from '../arena/stage.ts';
import type { CallResult } from '../books/books.ts';
import { changeMembers } from './change-members.ts';
import { createPaddedCall } from './padded-call.ts';
import type { Watch } from './watch.ts';

export interface Round {
  readonly members: readonly string[];
  readonly by: 'command' | 'api';
  readonly isKilled: boolean;
}

export interface Load {
  readonly callResults: CallResult[];
  readonly corrections: Corrections;
  running(): number;
  play(round: Round): Promise<void>;
}

export const roomyPicoUsd = memberPicoUsd * 100_000n;

const halfPicoUsd = memberPicoUsd / 2n;
/** For the app whose users have unusual ids, and for each other app. */
const unusualUserCalls = 22;
const otherCalls = 14;
/** All of a wave run while the members change. */
const slow = { delayMs: 2_500, text: 'one two three', stream: { gapMs: 20 } } as const;

/** `apps` alternate as members. */
export function createLoad(
  { arena, callers, chance }: StageParts,
  watch: Watch,
  { apps, users }: { readonly apps: readonly string[]; readonly users: readonly string[] },
): Load {
  const callResults: CallResult[] = [];
  const corrections = createCorrections(arena, watch);
  let next = 0;
  let running = 0;
  return { callResults, corrections, play, running: () => running };

  async function play({ members, by, isKilled }: Round): Promise<void> {
    const calls = begin();
    await untilHeld(calls);
    const before = watch.members();
    await watch.beforeChange();
    const changed =
      members.length === 0
        ? undefined
        : changeMembers(arena, by, {
            ...{ apps: members, dailyPicoUsd: roomyPicoUsd, monthlyPicoUsd: roomyPicoUsd },
          });
    const restarted = isKilled
      ? arena.killAndRestart(chance.below(arena.urls().length))
      : undefined;
    await changed;
    await watch.check(`while members changed from ${before.join()} to ${members.join()}`, members);
    await Promise.all([restarted, ...calls.started]);
    await watch.check(`after its members had become ${members.join()}`);
    const joined = members.find((app) => !before.includes(app));
    if (joined === undefined) return;
    // By the same amount: the total cost still equals the platform's bill.
    await corrections.correctOne(joined, halfPicoUsd);
    const other = apps.find((app) => !members.includes(app)) ?? joined;
    await corrections.correctOne(other, -halfPicoUsd);
  }

  function begin() {
    const { name } = attackApps.odd;
    const made = apps.flatMap((app) =>
      Array.from({ length: app === name ? unusualUserCalls : otherCalls }, () => {
        const index = next++;
        const userId = app === name ? users[index % users.length] : undefined;
        return {
          app,
          planned: createPaddedCall({ label: labelOf(app, index), instructions: slow, userId }),
        };
      }),
    );
    let ended = 0;
    const started = chance.shuffled(made).map(async ({ app, planned }, index) => {
      callResults.push(await callers.call(app, planned, index % 2 === 0 ? 'whole' : 'stream'));
      ended += 1;
    });
    return { started, hasEnded: () => ended > 0 };
  }

  /** On a slow machine the first call might end before the last one begins. */
  async function untilHeld({ started, hasEnded }: ReturnType<typeof begin>) {
    for (let held = 0; held < started.length && !hasEnded(); ) {
      await sleep(arena.context.clock, 20);
      held = (await watch.read()).holds.length;
      running = Math.max(running, held);
    }
  }
}

interface Corrections {
  readonly made: ReadonlyMap<string, bigint>;
  raised(app: string): bigint;
  /** The oldest uncorrected call, from before the last change of members. */
  correctOne(app: string, byPicoUsd: bigint): Promise<void>;
}

function createCorrections(arena: Arena, watch: Watch): Corrections {
  const made = new Map<string, bigint>();
  const raised = new Map<string, bigint>();
  return {
    made,
    raised: (app) => raised.get(app) ?? 0n,
    async correctOne(app, byPicoUsd) {
      const call = (await watch.read()).calls
        .filter(({ callId, code }) => code === 'OK' && !made.has(callId))
        .toSorted((one, other) => (one.callId < other.callId ? -1 : 1))
        .find((each) => each.app === app);
      if (call === undefined) return;
      const { callId } = call;
      const picoUsd = call.picoUsd + byPicoUsd;
      await correctCall(arena.admin, { callId, usd: formatUsd(picoUsd) });
      made.set(callId, picoUsd);
      if (byPicoUsd > 0n) raised.set(app, (raised.get(app) ?? 0n) + byPicoUsd);
      await watch.check(`after a call of ${app} was corrected`);
    },
  };
}
