import { gzipSync } from 'node:zlib';

/** The columns of Amazon's Cost and Usage Report that the reader uses. */
const columns = [
  ...['line_item_usage_start_date', 'line_item_usage_end_date', 'line_item_product_code'],
  ...['line_item_usage_type', 'line_item_usage_amount', 'pricing_unit'],
  ...['line_item_unblended_cost', 'line_item_currency_code', 'line_item_line_item_type'],
  'resource_tags',
];

/** A month of a company in Amazon's export format, compressed: no two rows are equal. */
export function awsExport(rows: number): Uint8Array<ArrayBuffer> {
  const lines = [columns.join(',')];
  for (let row = 0; row < rows; row++) {
    const day = `2026-10-${String(1 + (row % 31)).padStart(2, '0')}T00:00:00Z`;
    const usage = `USE1-openai.gpt-oss-120b-mantle-input-tokens-standard,0.${row},1K tokens`;
    lines.push(`${day},${day},AmazonBedrock,${usage},0.000${row},USD,Usage,{}`);
  }
  return new Uint8Array(gzipSync(lines.join('\n'), { level: 1 }));
}
