import { projectIdOf } from '@model-gateway/simulator';
import type { Account, BilledCall } from './books.ts';

/** The platform's own bill, as it sends it. */
export interface Bill {
  readonly text: string;
  readonly calls: readonly BilledLine[];
  /** Calls that no app's project paid for. */
  readonly missingProjectCalls: number;
}

/** One line of the bill. */
interface BilledLine {
  readonly requestId: string;
  readonly projectId: string;
  readonly label?: string;
  readonly costPicoUsd: string;
}

/** Asks the simulator for its bill. */
export async function readBill(simulatorUrl: string): Promise<Bill> {
  const text = await (await fetch(`${simulatorUrl}/simulator/bill?calls=1`)).text();
  const bill: Omit<Bill, 'text'> = JSON.parse(text);
  return { ...bill, text };
}

/** The bill's lines by account: the project says which app paid, the label which of its days. */
export function billedCalls(
  bill: Bill,
  accounts: readonly Account[],
): { readonly billed: readonly BilledCall[]; readonly broken: readonly string[] } {
  const billed = bill.calls.flatMap(({ requestId, projectId, label = '', costPicoUsd }) => {
    const account = accounts.find(
      ({ name, app }) =>
        projectIdOf(`prod-attack-core-${app}`) === projectId && label.startsWith(`${name}/`),
    );
    if (account === undefined) return [];
    return { account: account.name, label, requestId, picoUsd: BigInt(costPicoUsd) };
  });
  const strangers = bill.calls.length - billed.length + bill.missingProjectCalls;
  const broken = strangers === 0 ? [] : [`${strangers} calls were billed to another project`];
  return { billed, broken };
}
