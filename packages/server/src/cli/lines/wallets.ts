import type { CreditsAnswer } from '@model-gateway/contract';
import { factLines } from '../print.ts';

/** A user's credits of this month. */
export function walletLines(wallet: CreditsAnswer): readonly string[] {
  return factLines([
    ['user', wallet.userId],
    ['period', wallet.period],
    ['granted', wallet.granted],
    ['topped up', wallet.toppedUp],
    ['spent', wallet.spent],
    ['held', wallet.held],
    ['available', wallet.available],
    ['resets', wallet.resetsAt],
  ]);
}
