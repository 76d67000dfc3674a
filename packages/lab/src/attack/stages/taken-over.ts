import { sleep } from '@model-gateway/server/lib/clock';
import { attackApps, labelOf, surfacePicoUsd } from '../arena/accounts.ts';
import type { Arena } from '../arena/arena.ts';
import { countOf, indexes, type StageParts, type StageResult } from '../arena/stage.ts';
import { type SurfaceCall, sendOn, surfaceCall, surfaceRoutes } from '../arena/surfaces.ts';
import type { CallResult, UserBook } from '../books/books.ts';
import { type BudgetCall, readBudgetRows } from '../books/budget-rows.ts';
import { readBill } from '../books/platform.ts';
import { receivedText } from '../receipts/receive.ts';
import { emptyWallet, readWallets, watchEnds, watchRunning } from '../receipts/wallets.ts';
import { stayClearOfMidnight } from './kills.ts';

const { heirs, pressed, brimful } = attackApps;
const apps = [heirs.name, pressed.name, brimful.name];
const stageMsMax = 90_000;
const billedMsMax = 3_000;
const surfaces = surfaceRoutes.filter(({ isEmbedding }) => isEmbedding !== true);
/** Billed at once, with a delay longer than a kill takes; its successor has no delay. */
const instructions = { handoverDelayMs: 5_000, isFaultyOnce: true, text: receivedText };

/**
 * Wallets fit one call, one app's daily budget fits the dead call and one more, another's only one.
 * Only the last may be rejected, with the dead call named.
 */
export async function takenOver({ arena, callers }: StageParts): Promise<StageResult> {
  await stayClearOfMidnight(arena, stageMsMax);
  const isShared = arena.store.kind === 'postgres';
  const victim = isShared ? await arena.start(arena.config.file) : undefined;
  const url = () => arena.urls()[0] ?? '';
  const calls = [
    ...indexes(surfaces.length).map((index) => ({ account: heirs.name, index })),
    { account: pressed.name, index: 0 },
    { account: brimful.name, index: 0 },
  ].map(({ account, index }) => {
    const surface = surfaces[index] ?? surfaceRoutes[0];
    if (surface === undefined) throw new Error('no route is attacked');
    const userId = account === brimful.name ? undefined : `${account}-${index}`;
    return {
      account,
      call: surfaceCall(surface, labelOf(account, index), { instructions, userId }),
    };
  });
  const send = (at: string, { account, call }: (typeof calls)[number], tries: number) =>
    sendOn({ url: at, apiKey: arena.key(account) }, call, { tries });
  const dying = calls.map((each) => send(victim?.url ?? url(), each, 0));
  const died = watchEnds(dying);
  const running = watchRunning(arena, apps);
  await running.until((held) => held >= calls.length || died.hasOne());
  const whole = calls.filter(({ call }) => call.surface.ending === undefined);
  await untilBilled(
    arena,
    whole.map(({ call }) => call.label),
  );
  await (victim === undefined ? arena.killAndRestart(0) : victim.end('SIGKILL'));
  await Promise.all(dying);
  const ends = await Promise.all(
    calls.map((each) =>
      callers.callBy(each.account, each.call, (tries) => send(url(), each, tries + 1)),
    ),
  );
  await running.until((held) => held === 0);
  const answered = countOf(ends, 'answered');
  return {
    name: heirs.name,
    line: `${calls.length} keys of a killed service were taken over under full wallets and days, ${answered} answered`,
    users: await booksOf(calls, ends),
    caps: new Map(apps.map((app) => [app, spentBy(app, ends)])),
    broken: await brokenBy(ends),
  };

  async function booksOf(
    made: readonly { readonly account: string; readonly call: SurfaceCall }[],
    came: readonly CallResult[],
  ): Promise<readonly UserBook[]> {
    const wallets = await readWallets(arena, apps);
    return made.flatMap(({ account, call: { userId } }, at) => {
      if (userId === undefined) return [];
      const { paidPicoUsd } = wallets.get(userId) ?? emptyWallet;
      const picoUsd = came[at]?.kind === 'answered' ? surfacePicoUsd : 0n;
      const when = 'after its key was taken over';
      const limits = { leastPicoUsd: picoUsd, maximumCostPicoUsd: picoUsd };
      return { account, userId, when, paidPicoUsd, ...limits };
    });
  }

  async function brokenBy(came: readonly CallResult[]): Promise<readonly string[]> {
    const rows = await readBudgetRows(arena.store, apps);
    const dead = rows.calls.filter(({ code }) => code === 'LOST');
    return came.flatMap((end) => wrongEnd(end, dead));
  }
}

/** Killed calls prove more after the platform has billed them. */
async function untilBilled(
  { simulatorUrl, context: { clock } }: Arena,
  labels: readonly string[],
): Promise<void> {
  const endsMs = clock.monotonic() + billedMsMax;
  for (let isSo = false; !isSo && clock.monotonic() < endsMs; ) {
    await sleep(clock, 100);
    const bill = await readBill(simulatorUrl);
    const billed = new Set(bill.calls.map(({ label }) => label));
    isSo = labels.every((label) => billed.has(label));
  }
}

/** Each key's dead call is booked as an estimate, and its successor is paid. */
function spentBy(app: string, ends: readonly CallResult[]): bigint {
  const own = ends.filter(({ account }) => account === app);
  return BigInt(own.length + countOf(own, 'answered')) * surfacePicoUsd;
}

function wrongEnd(end: CallResult, dead: readonly BudgetCall[]): readonly string[] {
  const { account, label, kind } = end;
  if (account !== brimful.name) {
    return kind === 'answered' ? [] : [`${label}: ended as ${kind} where the takeover fits`];
  }
  if (kind !== 'refused') return [`${label}: ended as ${kind}, and its day was full`];
  const own = dead.find(({ app }) => app === account);
  const isNamed = own !== undefined && end.message.includes(own.callId);
  return isNamed ? [] : [`${label}: the refusal does not name the dead call: ${end.message}`];
}
