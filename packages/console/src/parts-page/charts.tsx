import { Card } from '../parts/card.tsx';
import { BarChart } from '../parts/chart-bars.tsx';
import { LineChart } from '../parts/chart-line.tsx';
import { users } from './samples.ts';

const labels = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

export function Charts() {
  const bars = labels.slice(0, 15).map((label, hour) => {
    const amounts = Object.fromEntries(
      users.map((name, at) => [name, String((hour * (at + 1)) % 9)]),
    );
    const total = Object.values(amounts).reduce((sum, usd) => sum + Number(usd), 0);
    return { label, amounts, total: String(total), isOpen: hour === 14 };
  });
  const points = labels.slice(0, 15).map((_, at) => ({ at, usd: String(at * at) }));
  const forecast = [{ at: 24, usd: '420' }];
  return (
    <>
      <Card title="Stacked bars, the last period open" span={6}>
        <BarChart label="Spend by hour" head="Hour (UTC)" names={users} bars={bars} />
      </Card>
      <Card title="Running total, budget, forecast" span={6}>
        <LineChart
          {...{ label: 'Running total', head: 'Hour (UTC)', labels, points, forecast }}
          cap={{ usd: '400', text: 'Budget' }}
        />
      </Card>
      <Card title="Bars without data" span={6}>
        <BarChart label="Nothing" head="Hour (UTC)" names={['spent']} bars={[]} height={84} />
      </Card>
    </>
  );
}
