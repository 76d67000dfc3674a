import { projectIdOf } from '@model-gateway/simulator';
import type { Account, BilledCall } from './books.ts';

export interface Bill {
  readonly text: string;
  readonly calls: readonly BilledLine[];
  readonly missingProjectCalls: number;
}

interface BilledLine {
  readonly requestId: string;
  readonly projectId: string;
  readonly label?: string;
  readonly costPicoUsd: string;
}

export async function readBill(simulatorUrl: string): Promise<Bill> {
  const text = await (await fetch(`${simulatorUrl}/simulator/bill?calls=1`)).text();
  const bill: Omit<Bill, 'text'> = JSON.parse(text);
  return { ...bill, text };
}

/** The project identifies the app, the label the day. */
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
  const foreignCalls = bill.calls.length - billed.length + bill.missingProjectCalls;
  const broken = foreignCalls === 0 ? [] : [`${foreignCalls} calls were billed to another project`];
  return { billed, broken };
}
