import { sleep } from '@model-gateway/server/lib/clock';
import { labelOf, surfacePicoUsd } from '../arena/accounts.ts';
import type { Arena } from '../arena/arena.ts';
import { indexes } from '../arena/stage.ts';
import { surfaceCall } from '../arena/surfaces.ts';
import type { CallResult, UserBook } from '../books/books.ts';
import { type Receipt, receive } from './receive.ts';
import type { Script, Step } from './scripts.ts';
import { type RunningCalls, watchEnds } from './wallets.ts';

export interface ScriptedUser {
  readonly userId: string;
  readonly script: Script;
  play(step: Step): Promise<void>;
  /** Sends it again with its key, if no whole response came; returns whether it was replayed. */
  collect(): Promise<boolean>;
  /**
   * The limits of its payment. `isSent`: its service saw no caller disconnect. A socket accepts
   * data that its caller no longer reads, so a part may cost as much as the whole.
   */
  book(when: string, paid: { readonly paidPicoUsd: bigint; readonly isSent: boolean }): UserBook;
  callResults(): readonly CallResult[];
  /** Results that went to two requests without a key. */
  repeatedResults(): readonly string[];
}

type Paid = Parameters<ScriptedUser['book']>[1];

interface UserParts {
  readonly index: number;
  readonly url: string;
  readonly running: RunningCalls;
}

/** A follower reaches the service before the first caller disconnects. */
const followsMs = 400;

/** All its requests go to one service, since only that service notices disconnected callers. */
export function createUser(
  arena: Arena,
  script: Script,
  { index, url, running }: UserParts,
): ScriptedUser {
  const { account, surface, isKeyless, instructions } = script;
  const userId = script.name.replaceAll(' ', '-');
  const label = labelOf(account, index);
  const call = {
    ...surfaceCall(surface, label, { instructions, userId }),
    ...(isKeyless && { isKeyless }),
  };
  const target = { url, apiKey: arena.key(account) };
  const receipts: Receipt[] = [];
  const send = async (how: Parameters<typeof receive>[2]) => {
    receipts.push(await receive(target, call, how));
  };
  return { userId, script, play, collect, book, callResults, repeatedResults };

  async function play({ stay = 0, leave = 0, at = 'running', follow = 0, retry = 0 }: Step) {
    const leaving = new AbortController();
    const staying = indexes(stay).map(() => send({ tries: 0 }));
    const disconnecting = indexes(leave).map(() =>
      send({ tries: 0, leaving: leaving.signal, leavesAtText: at === 'text' }),
    );
    if (leave > 0 && at === 'running') {
      const ends = watchEnds(disconnecting);
      const isSo = (calls: number) => calls >= leave || ends.hasOne();
      await running.until(isSo, userId);
    }
    const following = indexes(follow).map(() => send({ tries: 0 }));
    if (follow > 0) await sleep(arena.context.clock, followsMs);
    if (at === 'running') leaving.abort();
    await Promise.all(disconnecting);
    const retrying = indexes(retry).map(() => send({ tries: 1 }));
    await Promise.all([...staying, ...following, ...retrying]);
  }

  async function collect(): Promise<boolean> {
    if (isKeyless || receipts.some(({ came }) => came === 'whole')) return false;
    await send({ tries: 0 });
    const last = receipts.at(-1);
    return last?.came === 'whole' && last.isReplayed;
  }

  function book(when: string, { paidPicoUsd, isSent }: Paid): UserBook {
    const own = (came: Receipt) => (isKeyless ? (came.callId ?? '') : label);
    const whole = new Set(receipts.flatMap((each) => (each.came === 'whole' ? own(each) : [])));
    // With its own key, a part is worth nothing once the rest is unavailable.
    const isPaid = ({ came }: Receipt) =>
      came === 'whole' || (came === 'part' && (isKeyless || isSent));
    const all = new Set(receipts.flatMap((each) => (isPaid(each) ? own(each) : [])));
    return {
      ...{ account, userId, when, paidPicoUsd },
      leastPicoUsd: BigInt(whole.size) * surfacePicoUsd,
      maximumCostPicoUsd: BigInt(all.size) * surfacePicoUsd,
    };
  }

  function callResults(): readonly CallResult[] {
    const named = { account, label, maximumCostPicoUsd: surfacePicoUsd };
    const answers = receipts.flatMap((each) =>
      each.outcome.kind === 'answered' ? each.outcome : [],
    );
    const byId = new Map(answers.map((answer) => [answer.callId, answer]));
    if (byId.size === 0) return [{ ...named, kind: 'left' }];
    return [...byId.values()].map((answer) => ({ ...named, ...answer }));
  }

  function repeatedResults(): readonly string[] {
    const ids = receipts.flatMap(({ came, callId }) => (came === 'whole' ? (callId ?? '') : []));
    const isTwice = isKeyless && new Set(ids).size < ids.length;
    return isTwice ? [`${userId}: a result was sent twice to requests without a key`] : [];
  }
}
