import { PageHead } from '../parts/page-head.tsx';
import { Toasts } from '../parts/toast.tsx';
import { ThemeChoice } from '../shell/theme.tsx';
import { Charts } from './charts.tsx';
import { Controls } from './controls.tsx';
import { Dialogs } from './dialogs.tsx';
import { StatSamples } from './figures.tsx';
import { States } from './states.tsx';
import { Tables } from './tables.tsx';

/** Every part in every state, with short and with long data. */
export function Parts() {
  return (
    <main>
      <PageHead title="Parts" note="The parts of all pages">
        <ThemeChoice />
      </PageHead>
      <StatSamples />
      <div class="grid">
        <Controls />
        <States />
        <Dialogs />
        <Charts />
        <Tables />
      </div>
      <Toasts />
    </main>
  );
}
