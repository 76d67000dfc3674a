import type { CreditsAnswer } from '@model-gateway/contract';
import type { Command } from 'commander';
import type { Office } from '../admin/office.ts';
import { debitWallet, showWallet, topUpWallet, type WalletChange } from '../admin/wallets.ts';
import { type CommonOptions, readConfig, type Shell, withApps } from './context.ts';
import { factLines, printDocument } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

interface ChangeOptions extends CommonOptions {
  readonly reference?: string;
}

type Change = (office: Office, change: WalletChange) => Promise<CreditsAnswer>;

/** `wallets show | top-up | debit`: a user's credits. */
export function registerWallets(program: Command, shell: Shell): void {
  const wallets = program.command('wallets').description("users' credits");
  withSharedOptions(
    wallets.command('show <app> <user>').description("a user's credits of this month"),
  ).action((app: string, userId: string, _options: unknown, command: Command) =>
    answer(shell, command.optsWithGlobals<CommonOptions>(), (office) =>
      showWallet(office, { app, userId }),
    ),
  );
  const changes: readonly (readonly [string, string, Change])[] = [
    ['top-up', 'add credits that carry over until they are spent', topUpWallet],
    ['debit', 'take unspent top-up credits back', debitWallet],
  ];
  for (const [name, description, change] of changes) {
    withSharedOptions(wallets.command(`${name} <app> <user> <credits>`).description(description))
      .option('--reference <reference>', 'the same reference acts once')
      .action((...given: [string, string, string, unknown, Command]) => {
        const [app, userId, credits, , command] = given;
        const options = command.optsWithGlobals<ChangeOptions>();
        const { reference } = options;
        return answer(shell, options, (office) =>
          change(office, { app, userId, credits, reference }),
        );
      });
  }
}

async function answer(
  shell: Shell,
  options: CommonOptions,
  work: (office: Office) => Promise<CreditsAnswer>,
) {
  const config = readConfig(shell, options);
  const document = await withApps(shell, config, work);
  printDocument(shell, options, document, (wallet) =>
    factLines([
      ['user', wallet.userId],
      ['period', wallet.period],
      ['granted', wallet.granted],
      ['topped up', wallet.toppedUp],
      ['spent', wallet.spent],
      ['held', wallet.held],
      ['available', wallet.available],
      ['resets', wallet.resetsAt],
    ]),
  );
}
