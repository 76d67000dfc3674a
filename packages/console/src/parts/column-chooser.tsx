import { useId, useState } from 'preact/hooks';
import { store, stored } from '../data/storage.ts';
import type { Column } from './column.ts';
import { Icon } from './icon.tsx';
import { placeByButton } from './place-by-button.ts';

export interface Chosen<Row> {
  readonly columns: readonly Column<Row>[];
  readonly has: (id: string) => boolean;
  readonly toggle: (id: string) => void;
}

/** The reader's choice of columns, stored in this browser. The first always stays. */
export function useColumns<Row>(table: string, all: readonly Column<Row>[]): Chosen<Row> {
  const key = `columns:${table}`;
  const standard = all.filter(({ isExtra }) => isExtra !== true).map(({ id }) => id);
  const [chosen, setChosen] = useState(stored(key)?.split(',') ?? standard);
  const has = (id: string) =>
    chosen.includes(id) || all.some((one, at) => one.id === id && (at === 0 || one.narrow === 6));
  return {
    columns: all.filter(({ id }) => has(id)),
    has,
    toggle(id) {
      const next = has(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
      store(key, next.join(','));
      setChosen(next);
    },
  };
}

/** The name and the actions of a row always stay. */
function choices<Row>(all: readonly Column<Row>[]): readonly Column<Row>[] {
  return all.slice(1).filter(({ narrow }) => narrow !== 6);
}

interface ChooserProps<Row> {
  readonly all: readonly Column<Row>[];
  readonly chosen: Chosen<Row>;
}

export function ColumnChooser<Row>({ all, chosen }: ChooserProps<Row>) {
  const id = useId();
  return (
    <>
      <button type="button" class="small" popovertarget={id}>
        <Icon of="columns" />
        Columns
      </button>
      <fieldset
        class="menu checks"
        id={id}
        popover="auto"
        aria-label="Columns"
        onToggle={placeByButton}
      >
        {choices(all).map(({ id: column, head }) => (
          <label key={column}>
            <input
              type="checkbox"
              checked={chosen.has(column)}
              onChange={() => chosen.toggle(column)}
            />
            {head}
          </label>
        ))}
      </fieldset>
    </>
  );
}
