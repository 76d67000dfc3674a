import { Counter, type CounterConfiguration } from 'prom-client';

type Labels<Label extends string> = Readonly<Record<Label, string | number>>;

/** Adds one to the series of these labels. */
export type Count<Label extends string> = (labels: Labels<Label>) => void;

interface Series<Label extends string> {
  readonly labels: Labels<Label>;
  value: number;
}

/**
 * Registers a counter of the library, whose values are counted here and shown when it is asked for
 * its text. A call adds three: a fifth of what the library takes, which checks and sorts their
 * labels each time.
 */
export function createCounter<Label extends string>(
  configuration: CounterConfiguration<Label> & { readonly labelNames: readonly Label[] },
): Count<Label> {
  const { labelNames } = configuration;
  const known = new Map<string, Series<Label>>();
  const head = new Counter({ ...configuration, registers: [] });
  const get = async () => ({ ...(await head.get()), values: [...known.values()] });
  // The library asks for its text in one of two ways.
  Object.assign(new Counter(configuration), { get, getForPromString: get });
  return (labels) => {
    let key = '';
    for (const name of labelNames) key += `${labels[name]}\n`;
    const series = known.get(key);
    if (series === undefined) known.set(key, { labels, value: 1 });
    else series.value += 1;
  };
}
