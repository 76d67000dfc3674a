import type { ReconciledDocument } from '@model-gateway/server/operations/documents';
import type { Column } from '../../parts/column.ts';
import { Usd } from '../../parts/values.tsx';
import { differenceUsd, picoOf, shareOf, shortUsd, shownParts, sumUsd } from '../../text/money.ts';

type Row = ReconciledDocument;

/** Both sides of some rows. */
export interface Sides {
  readonly invoiceUsd: string;
  readonly ledgerUsd: string;
  readonly differenceUsd: string;
}

export function sidesOf(rows: readonly Row[]): Sides {
  return {
    invoiceUsd: sumUsd(rows.map(({ invoiceUsd }) => invoiceUsd)),
    ledgerUsd: sumUsd(rows.flatMap(({ exactUsd, estimatedUsd }) => [exactUsd, estimatedUsd])),
    differenceUsd: sumUsd(rows.map(({ differenceUsd }) => differenceUsd)),
  };
}

/** The difference of the totals as shown: a reader who subtracts gets it. */
export function shownDifference({ invoiceUsd, ledgerUsd }: Sides): string {
  const [invoice = '', ledger = ''] = [invoiceUsd, ledgerUsd].map((usd) =>
    shortUsd(usd).replaceAll(/[$,]/g, ''),
  );
  return differenceUsd(invoice, ledger);
}

/** Each column adds up as shown. */
export function amountColumns<Of extends Sides>(
  rows: readonly Of[],
  nameOf: (row: Of) => string,
  total: Sides,
): readonly Column<Of>[] {
  const columnOf = (id: keyof Sides, head: string, sum = total[id]) => {
    const parts = rows.map((row) => ({ name: nameOf(row), usd: row[id] }));
    const shown = new Map(shownParts(parts, sum).map((text, at) => [rows[at], text]));
    return {
      ...{ id, head, isNumber: true, value: (row: Of) => picoOf(row[id]) },
      cell: (row: Of) => <Usd of={row[id]} shown={shown.get(row)} />,
      total: <Usd of={total[id]} shown={shortUsd(sum)} />,
    };
  };
  return [
    columnOf('ledgerUsd', 'Ledger'),
    columnOf('invoiceUsd', 'Invoice'),
    { ...columnOf('differenceUsd', 'Difference', shownDifference(total)), narrow: 2 },
    {
      ...{ id: 'share', head: 'Share of invoice', isNumber: true, narrow: 4 },
      cell: (row) => shareOf(row.differenceUsd, row.invoiceUsd),
      total: shareOf(total.differenceUsd, total.invoiceUsd),
    },
  ];
}
