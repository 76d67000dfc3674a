import type { ComponentChildren } from 'preact';
import { Scrolling } from './scrolling.tsx';

/** A column: its head, and what a row has there. */
export interface Head<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Set to the right, digit below digit. */
  readonly isNumber?: boolean;
}

interface TableProps<Row> {
  /** What the table has, for those who hear it. */
  readonly caption: string;
  readonly heads: readonly Head<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What would be here, and how it comes. */
  readonly empty: ComponentChildren;
}

/** Rows with the heads of their columns; the first column names the row. */
export function DataTable<Row>({ caption, heads, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <Scrolling label={caption}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {heads.map(({ head, isNumber }) => (
              <th key={head} scope="col" class={isNumber === true ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {heads.map(({ head, cell, isNumber }, index) =>
                index === 0 ? (
                  <th key={head} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={head} class={isNumber === true ? 'number' : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
