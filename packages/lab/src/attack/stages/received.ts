import { attackApps, surfacePicoUsd } from '../arena/accounts.ts';
import { indexes, type StageParts, type StageResult } from '../arena/stage.ts';
import type { UserBook } from '../books/books.ts';
import { scripts } from '../receipts/scripts.ts';
import { createUser } from '../receipts/user.ts';
import {
  countCalls,
  emptyWallet,
  readSent,
  readWallets,
  watchRunning,
} from '../receipts/wallets.ts';

const { stored, unstored, adopting } = attackApps;
const apps = [stored.name, unstored.name, adopting.name];

/** Compares each wallet's payment with the responses that callers received or can still collect. */
export async function received({ arena, callers, chance }: StageParts): Promise<StageResult> {
  const running = watchRunning(arena, apps);
  const users = chance.shuffled(scripts).map((script, index) => {
    const urls = arena.urls();
    const url = urls[chance.below(urls.length)] ?? '';
    return createUser(arena, script, { index, url, running });
  });
  const untilSettled = () => running.until((calls) => calls === 0);
  for (const at of indexes(Math.max(...scripts.map(({ steps }) => steps.length)))) {
    await Promise.all(users.map(({ script, play }) => play(script.steps[at] ?? {})));
    await untilSettled();
  }
  const before = await booksOf('before it tried to collect');
  const collected = await Promise.all(users.map((user) => user.collect()));
  await untilSettled();
  const after = await booksOf('in the end');
  for (const user of users) callers.note(user.callResults());
  return {
    name: 'received',
    line: `${users.length} users with credits whose callers left, timed out, followed or retried, ${collected.filter(Boolean).length} results collected with a key`,
    users: [
      ...before.map((book, at) => (collected[at] === true ? withOneMore(book) : book)),
      ...after,
    ],
    caps: new Map(await Promise.all(apps.map(capOf))),
    broken: [...users.flatMap((user) => user.repeatedResults()), ...(await reservedAtEnd())],
  };

  async function booksOf(when: string): Promise<readonly UserBook[]> {
    const [wallets, sent] = await Promise.all([readWallets(arena, apps), readSent(arena, apps)]);
    return users.map((user) => {
      const { paidPicoUsd } = wallets.get(user.userId) ?? emptyWallet;
      return user.book(when, { paidPicoUsd, isSent: sent.has(user.userId) });
    });
  }

  /** A retry without a key that comes too early is a new call, so the booked calls count. */
  async function capOf(app: string): Promise<readonly [string, bigint]> {
    const own = scripts.filter(({ account }) => account === app);
    const planned = own.reduce((total, { platformCalls }) => total + platformCalls, 0);
    const calls = app === adopting.name ? await countCalls(arena, app) : planned;
    return [app, BigInt(calls) * surfacePicoUsd];
  }

  /** With adopted retries, a reservation may wait for one. */
  async function reservedAtEnd(): Promise<readonly string[]> {
    const wallets = await readWallets(arena, [stored.name, unstored.name]);
    return [...wallets].flatMap(([userId, { heldPicoUsd }]) =>
      heldPicoUsd === 0n
        ? []
        : `the wallet of ${userId} reserves ${heldPicoUsd} pico-USD for nothing`,
    );
  }
}

/** A response that could still be collected was worth its price before that. */
function withOneMore(book: UserBook): UserBook {
  return { ...book, maximumCostPicoUsd: book.maximumCostPicoUsd + surfacePicoUsd };
}
