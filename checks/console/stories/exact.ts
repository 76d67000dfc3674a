import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run, withoutNpm } from '../../../harness/process.ts';
import { until } from '../../../harness/until.ts';
import { parseUsd } from '../../../packages/server/src/lib/money.ts';
import type { Page } from '../browser/driver.ts';
import type { House } from '../house.ts';
import { call, type Visit } from './visit.ts';

const program = fileURLToPath(
  new URL('../../../packages/server/bin/model-gateway.js', import.meta.url),
);

interface Row {
  readonly name: string;
  readonly isTotal: boolean;
  /** All digits, as shown on hover and copied. */
  readonly hovered: string;
  readonly copied: string;
}

/**
 * Every amount of Today, of Spend and of a receipt has, on hover and on copy, the digits of `report
 * --json`.
 */
export async function exactFigures({ house, page, hands }: Visit): Promise<void> {
  const userId = `exact-${hands.manner}`;
  const { callId } = await call(house, 'assistant', { userId });
  const today = new Date().toISOString().slice(0, 10);
  const month = today.slice(0, 7);
  const ofDay = ['--from', today, '--to', today];
  const { adminUrl } = house;
  await compare(page, `${adminUrl}/console/calls/${callId}`, 'Amount', async () => {
    const rows = await report(house, ['--by', 'user', '--app', 'assistant', ...ofDay]);
    return new Map([...rows].filter(([name]) => name === userId));
  });
  await compare(page, `${adminUrl}/console/`, 'Spent', () =>
    report(house, ['--by', 'app', ...ofDay]),
  );
  for (const by of ['app', 'model']) {
    const path = `${adminUrl}/console/spend?month=${month}&by=${by}`;
    await compare(page, path, 'Cost', () => report(house, ['--by', by, '--month', month]));
  }
}

/** Calls of other stories might not be booked yet: both are read until they are equal. */
async function compare(
  page: Page,
  path: string,
  column: string,
  expected: () => Promise<ReadonlyMap<string, bigint>>,
): Promise<void> {
  let mismatches: readonly string[] = [];
  await until(
    async () => {
      await page.goto(path);
      await page.getByRole('table').first().waitFor();
      mismatches = differences(await rowsOf(page, column), await expected());
      return mismatches.length === 0;
    },
    () => `${path} shows the digits of the report: ${mismatches.join('; ')}`,
  );
}

/** Rows of the report have its amounts; both the rows and the totals have its sum. */
function differences(rows: readonly Row[], expected: ReadonlyMap<string, bigint>) {
  const whole = sum([...expected.values()]);
  const sums = [true, false].map((isTotal) =>
    sum(rows.filter((row) => row.isTotal === isTotal).map(({ hovered }) => picoOf(hovered))),
  );
  return [
    ...rows.flatMap(({ name, hovered, copied }) => {
      if (hovered !== copied) return [`${name} is ${hovered}, and copied ${copied}`];
      const other = expected.get(name) ?? picoOf(hovered);
      return other === picoOf(hovered) ? [] : [`${name} is ${hovered}, not ${other} pico-USD`];
    }),
    ...sums.filter((one) => one !== whole).map((one) => `a sum is ${one}, not ${whole} pico-USD`),
    ...(whole === 0n ? ['the report is empty'] : []),
  ];
}

/** The rows of all tables with this column. */
function rowsOf(page: Page, column: string): Promise<Row[]> {
  return page.evaluate(`(() => {
    let copied = '';
    const hear = ({ clipboardData }) => { copied = clipboardData.getData('text/plain'); };
    document.addEventListener('copy', hear);
    const found = [...document.querySelectorAll('table')].flatMap((table) => {
      const heads = [...table.querySelectorAll('thead th')].map((head) => head.innerText.trim());
      const at = heads.indexOf('${column}');
      if (at < 0) return [];
      return [...table.querySelectorAll('tbody tr, tfoot tr')].map((row) => {
        const [first] = row.cells;
        const name = first.querySelector('.name .hide') ?? first.querySelector('.name') ?? first;
        const amount = row.cells[at].querySelector('data.usd');
        getSelection().selectAllChildren(amount);
        copied = '';
        document.execCommand('copy');
        const isTotal = row.closest('tfoot') !== null;
        return { name: name.textContent.trim(), isTotal, hovered: amount.title, copied };
      });
    });
    document.removeEventListener('copy', hear);
    return found;
  })()`);
}

/** Costs by name, in pico-USD, as the command line prints them. */
async function report({ file }: House, options: readonly string[]) {
  const by = options[options.indexOf('--by') + 1] ?? '';
  const argv = [program, 'report', '--json', '--config', file, ...options];
  const { rows } = JSON.parse(await run(process.execPath, argv, { env: withoutNpm() }));
  const shownRows: readonly Readonly<Record<string, string>>[] = rows;
  return new Map(shownRows.map((row) => [row[by] ?? '', picoOf(row.costUsd ?? '')]));
}

function picoOf(usd: string): bigint {
  const pico = parseUsd(usd.replaceAll(/[$,]/g, ''));
  if (pico === undefined) throw new Error(`${usd} is not an amount`);
  return pico;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((whole, amount) => whole + amount, 0n);
}
