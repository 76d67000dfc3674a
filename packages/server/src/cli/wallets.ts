import type { CreditsAnswer } from '@model-gateway/contract';
import type { Command } from 'commander';
import { planReopenWallets, reopenWallets } from '../operations/budgets/reopen-budgets.ts';
import type { AdminContext } from '../operations/context.ts';
import { sameReference } from '../operations/text-lines.ts';
import {
  historyLines,
  reopenedLines,
  reopeningLines,
  walletLines,
} from '../operations/wallets/lines.ts';
import { walletHistory } from '../operations/wallets/wallet-history.ts';
import {
  debitWallet,
  findWallet,
  isKnownReference,
  isKnownUser,
  topUpWallet,
  type WalletChange,
  type WalletOwner,
} from '../operations/wallets/wallets.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { confirm, type DangerOptions, warnOfDryRun, withDangerOptions } from './confirm.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { warnOfErasure } from './warn-of-erasure.ts';

interface TopUpOptions extends ChangeOptions {
  readonly reference?: string;
}

type Change = (admin: AdminContext, change: WalletChange) => Promise<CreditsAnswer>;

/** `wallets show | history | reopen | top-up | debit`: a user's credits. */
export function registerWallets(program: Command, context: CommandContext): void {
  const wallets = program.command('wallets').description("users' credits");
  withSharedOptions(
    wallets.command('show <app> <user>').description("a user's credits of this month"),
  ).action((app: string, userId: string, _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    return onWallet(context, options, { app, userId }, (admin) =>
      findWallet(admin, { app, userId }),
    );
  });
  withSharedOptions(
    wallets
      .command('history <app> <user>')
      .description('grants by month, and every top-up and debit with who made it and why'),
  ).action(async (app: string, userId: string, _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const history = await onApps(context, options, async (admin) => {
      await warnOfErasure(context, admin, { app, userId });
      return walletHistory(admin, { app, userId });
    });
    printDocument(context, options, history, historyLines);
  });
  withDangerOptions(
    wallets
      .command('reopen')
      .description('open the wallets that a restored store has closed: calls are admitted again'),
  )
    .requiredOption('--all', 'the wallets of every app')
    .action((_options: unknown, command: Command) =>
      reopen(context, command.optsWithGlobals<DangerOptions>()),
    );
  const changes: readonly (readonly [string, string, Change])[] = [
    ['top-up', 'add credits that carry over until they are spent', topUpWallet],
    ['debit', 'take unspent top-up credits back', debitWallet],
  ];
  for (const [name, description, change] of changes) {
    withChangeOptions(wallets.command(`${name} <app> <user> <credits>`).description(description))
      .option('--reference <reference>', 'the same reference acts once')
      .action((...given: [string, string, string, unknown, Command]) => {
        const [app, userId, credits, , command] = given;
        const options = command.optsWithGlobals<TopUpOptions>();
        const { reference } = options;
        return onWallet(context, options, { app, userId }, async (admin) => {
          const isKnown = await isKnownReference(admin, { app, userId, reference });
          const wallet = await change(admin, { app, userId, credits, reference });
          if (isKnown) context.warn(sameReference);
          return wallet;
        });
      });
  }
}

async function reopen(context: CommandContext, options: DangerOptions) {
  const reopened = await onApps(context, options, async (admin, config) => {
    const planned = await planReopenWallets(admin);
    if (options.dryRun === true) {
      warnOfDryRun(context);
      return planned;
    }
    const intent = { command: 'wallets reopen', lines: reopeningLines(planned) };
    await confirm(context, config, options, intent);
    return reopenWallets(admin);
  });
  printDocument(context, options, reopened, reopenedLines);
}

async function onWallet(
  context: CommandContext,
  options: ChangeOptions,
  owner: WalletOwner,
  work: (admin: AdminContext) => Promise<CreditsAnswer>,
) {
  const { isKnown, wallet } = await onApps(context, options, async (admin) => {
    await warnOfErasure(context, admin, owner);
    return { isKnown: await isKnownUser(admin, owner), wallet: await work(admin) };
  });
  const hint = `This user of ${owner.app} was not known before: is the id right?`;
  const lines = (shown: CreditsAnswer) => [...walletLines(shown), ...(isKnown ? [] : [hint])];
  printDocument(context, options, wallet, lines);
}
