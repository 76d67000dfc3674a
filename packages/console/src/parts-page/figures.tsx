import { BudgetBar } from '../parts/budget-bar.tsx';
import { AreaSpark, BarSpark, Delta, Stat, Stats } from '../parts/stat.tsx';
import { ExactUsd, ShortCount, Usd } from '../parts/values.tsx';

const budget = { label: 'Budgets', spentUsd: '42', heldUsd: '6', capUsd: '100' };

export function StatSamples() {
  return (
    <Stats>
      <Stat
        label="Spent"
        figure={<Usd of="12345678.9" />}
        note={<Delta now={120n} before={100n} text="vs. yesterday" />}
        href="#"
      >
        <AreaSpark label="Spent by hour" values={[1, 2, 2, 4, 9, 12]} />
      </Stat>
      <Stat label="Remaining" figure={<Usd of="0.00006075" />} note="in 3 budgets">
        <BudgetBar {...budget} isTall={true} />
      </Stat>
      <Stat label="Exact" figure={<ExactUsd of="0.000060750001" />} note="all digits" />
      <Stat label="Calls" figure={<ShortCount of={9_912_345_678} />} note="4% failed">
        <BarSpark label="Failed by hour" values={[0, 1, 0, 7, 3, 0]} />
      </Stat>
      <Stat label="Unknown" figure={<Usd of={null} />} note="no data" />
    </Stats>
  );
}
