import type { CreditsAnswer } from '@model-gateway/contract';
import type { Command } from 'commander';
import type { AdminContext } from '../admin/context.ts';
import {
  debitWallet,
  isKnownReference,
  isKnownUser,
  showWallet,
  topUpWallet,
  type WalletChange,
  type WalletOwner,
} from '../admin/wallets.ts';
import { type ChangeOptions, reasonOf, withChangeOptions } from './change-options.ts';
import { type CommandContext, type CommonOptions, readConfig, withApps } from './context.ts';
import { factLines, printDocument, sameReference } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

interface TopUpOptions extends ChangeOptions {
  readonly reference?: string;
}

type Change = (admin: AdminContext, change: WalletChange) => Promise<CreditsAnswer>;

/** `wallets show | top-up | debit`: a user's credits. */
export function registerWallets(program: Command, context: CommandContext): void {
  const wallets = program.command('wallets').description("users' credits");
  withSharedOptions(
    wallets.command('show <app> <user>').description("a user's credits of this month"),
  ).action((app: string, userId: string, _options: unknown, command: Command) =>
    answer(context, command.optsWithGlobals<CommonOptions>(), { app, userId }, (admin) =>
      showWallet(admin, { app, userId }),
    ),
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
        return answer(context, options, { app, userId }, async (admin) => {
          const isKnown = await isKnownReference(admin, { app, userId, reference });
          const wallet = await change(admin, { app, userId, credits, reference });
          if (isKnown) context.warn(sameReference);
          return wallet;
        });
      });
  }
}

async function answer(
  context: CommandContext,
  options: ChangeOptions,
  owner: WalletOwner,
  work: (admin: AdminContext) => Promise<CreditsAnswer>,
) {
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const both = async (admin: AdminContext) => {
    const isKnown = await isKnownUser(admin, owner);
    return { isKnown, wallet: await work(admin) };
  };
  const { isKnown, wallet } = await withApps(context, config, both, reason);
  printDocument(context, options, wallet, () => [
    ...factLines([
      ['user', wallet.userId],
      ['period', wallet.period],
      ['granted', wallet.granted],
      ['topped up', wallet.toppedUp],
      ['spent', wallet.spent],
      ['held', wallet.held],
      ['available', wallet.available],
      ['resets', wallet.resetsAt],
    ]),
    ...(isKnown ? [] : [`Nothing was known of this user of ${owner.app} before: is the id right?`]),
  ]);
}
