import type { ComponentChildren } from 'preact';
import { Long } from './long.tsx';
import { Scrolling } from './scrolling.tsx';

export interface Head<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Takes the remaining width, as long strings do by default. */
  readonly isText?: boolean;
}

const nameMax = 32;

interface TableProps<Row> {
  readonly caption: string;
  readonly heads: readonly Head<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** How rows come to be, shown while there are none. */
  readonly empty: ComponentChildren;
}

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
