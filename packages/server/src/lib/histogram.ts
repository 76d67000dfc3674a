import { Histogram, type HistogramConfiguration } from 'prom-client';

/** Each series is looked up once. */
export interface LabelledHistogram<Label extends string> {
  series(labels: Readonly<Record<Label, string>>): (value: number, traceId?: string) => void;
}

interface Exemplar {
  readonly labelSet: { readonly trace_id: string };
  readonly value: number;
}

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** Not cumulative; the last is above all buckets. */
  readonly counts: number[];
  /** The last value with a recorded trace, per bucket. */
  readonly exemplars: (Exemplar | undefined)[];
  sum: number;
}

/**
 * The library's series look up labels with every value: 500 ns against 75 ns here. A call adds six
 * values, which would be 1 % of its time.
 */
export function createHistogram<Label extends string>(
  configuration: HistogramConfiguration<Label> & { readonly buckets: readonly number[] },
): LabelledHistogram<Label> {
  const { name, buckets } = configuration;
  const all: Series[] = [];
  const head = new Histogram({ ...configuration, registers: [] });
  const get = async () => ({ ...(await head.get()), values: all.flatMap(valuesOf) });
  // The library calls one of the two for its text.
  Object.assign(new Histogram(configuration), { get, getForPromString: get });
  return {
    series(labels) {
      const counts = [...buckets, 0].fill(0);
      const series: Series = { labels, counts, exemplars: [], sum: 0 };
      all.push(series);
      return (value, traceId) => {
        let bucket = 0;
        while (value > (buckets[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
        series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
        series.sum += value;
        if (traceId !== undefined) {
          series.exemplars[bucket] = { labelSet: { trace_id: traceId }, value };
        }
      };
    },
  };

  function valuesOf({ labels, counts, exemplars, sum }: Series) {
    let count = 0;
    const bounds = [...buckets, '+Inf'];
    const values = bounds.map((le, index) => {
      count += counts[index] ?? 0;
      const exemplar = exemplars[index];
      const traced = exemplar === undefined ? {} : { exemplar };
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count, ...traced };
    });
    // As in the library, a series with labels exists from its first value on.
    if (count === 0 && Object.keys(labels).length > 0) return [];
    return [
      ...values,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
