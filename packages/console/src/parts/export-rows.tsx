import { csvOf } from '../text/csv.ts';
import { Icon } from './icon.tsx';

interface ExportProps<Row> {
  /** The file's name without its extension. */
  readonly name: string;
  readonly heads: readonly string[];
  readonly cells: (row: Row) => readonly (string | number | null | undefined)[];
  readonly rows: readonly Row[];
}

/** The page's rows, exact, as a CSV file. */
export function ExportRows<Row>({ name, heads, cells, rows }: ExportProps<Row>) {
  const save = () => {
    const text = csvOf([heads, ...rows.map(cells)]);
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
    const link = document.createElement('a');
    Object.assign(link, { href: url, download: `${name}.csv` });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <button type="button" class="small" onClick={save}>
      <Icon of="download" />
      Export CSV
    </button>
  );
}
