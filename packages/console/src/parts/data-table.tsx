import type { ComponentChildren } from 'preact';
import { Long } from './long.tsx';
import { Scrolling } from './scrolling.tsx';

/** A column: its head, and what a row has there. */
export interface Head<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Set to the right, digit below digit. */
  readonly isNumber?: boolean;
  /** Takes the width that other columns leave, as long strings do without being asked. */
  readonly isText?: boolean;
}

/** Longer strings are text: they take the width that other columns leave. */
const nameMax = 32;

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
                <Cell>{head}</Cell>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {heads.map(({ head, cell, isNumber, isText }, index) => {
                const shown = <Cell isText={isText}>{cell(row)}</Cell>;
                return index === 0 ? (
                  <th key={head} scope="row">
                    {shown}
                  </th>
                ) : (
                  <td key={head} class={isNumber === true ? 'number' : undefined}>
                    {shown}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

interface CellProps {
  readonly isText?: boolean | undefined;
  readonly children: ComponentChildren;
}

function Cell({ isText, children }: CellProps) {
  const isLong = typeof children === 'string' && children.length > nameMax;
  if (isText !== true && !isLong) return <div class="cell">{children}</div>;
  return (
    <div class="cell text">
      <Long>{children}</Long>
    </div>
  );
}
