import {
  Counter,
  type CounterConfiguration,
  Histogram,
  type HistogramConfiguration,
} from 'prom-client';

/** A counter that is told the values of its labels, in the order of their names. */
export interface Counts {
  add(...values: readonly string[]): void;
}

/** A histogram; each series of it is looked up once. */
export interface Spread<Label extends string> {
  /** How to add a value to the series of these labels. */
  series(labels: Readonly<Record<Label, string>>): (value: number) => void;
}

/**
 * Registers a counter. The library would check and look up the labels with each count, which is
 * several a call; so they are added up here, and it gets the sums when somebody looks.
 */
export function createCounts<Label extends string>(
  configuration: CounterConfiguration<Label> & { readonly labelNames: readonly Label[] },
): Counts {
  const added = new Map<string, number>();
  new Counter({
    ...configuration,
    collect() {
      for (const [key, count] of added) {
        this.labels(...key.split('\n')).inc(count);
      }
      added.clear();
    },
  });
  return {
    add(...values) {
      const key = values.join('\n');
      added.set(key, (added.get(key) ?? 0) + 1);
    },
  };
}

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** How many values lay in each bucket and in none below it; at the end those above them all. */
  readonly counts: number[];
  sum: number;
}

/** Registers a histogram whose values are counted here, for the same reason. */
export function createSpread<Label extends string>(
  configuration: HistogramConfiguration<Label> & { readonly buckets: readonly number[] },
): Spread<Label> {
  const { name, buckets } = configuration;
  const all: Series[] = [];
  const head = new Histogram({ ...configuration, registers: [] });
  const get = async () => ({ ...(await head.get()), values: all.flatMap(valuesOf) });
  // The library asks for its text in one of two ways.
  Object.assign(new Histogram(configuration), { get, getForPromString: get });
  return {
    series(labels) {
      const series = { labels, counts: [...buckets, 0].fill(0), sum: 0 };
      all.push(series);
      return (value) => {
        let bucket = 0;
        while (value > (buckets[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
        series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
        series.sum += value;
      };
    },
  };

  function valuesOf({ labels, counts, sum }: Series) {
    let count = 0;
    const bounds = [...buckets, '+Inf'];
    const values = bounds.map((le, index) => {
      count += counts[index] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    // As with the library: what has labels is there from its first value on.
    if (count === 0 && Object.keys(labels).length > 0) return [];
    return [
      ...values,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
