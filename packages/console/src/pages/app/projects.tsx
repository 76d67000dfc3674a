import type { AppPage, ProjectBound } from '@model-gateway/server/operations/documents';
import { useMay } from '../../data/session.ts';
import { Card } from '../../parts/card.tsx';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import type { Column } from '../../parts/column.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Name } from '../../parts/values.tsx';

const columns: readonly Column<AppPage['projects'][number]>[] = [
  { id: 'platform', head: 'Platform', cell: ({ platform }) => <Name of={platform} />, narrow: 1 },
  { id: 'project', head: 'Project', cell: ({ projectId }) => <Name of={projectId} />, narrow: 2 },
];

interface ProjectsProps {
  readonly page: AppPage;
  readonly again: () => void;
}

export function AppProjects({ page, again }: ProjectsProps) {
  const mayOperate = useMay('operate');
  const { name } = page.settings;
  return (
    <Card
      title="Billing projects"
      span={5}
      aside={
        mayOperate && (
          <ChangeDialog<ProjectBound>
            label="Bind project"
            title={`Bind a billing project to ${name}`}
            operation="projects bind"
            given={{ app: name }}
            formFields={{ platform: 'Platform', projectId: 'Project' }}
            verb="Bind"
            onChanged={again}
          />
        )
      }
      isFlush
    >
      <Table
        caption="Billing projects"
        columns={columns}
        rows={page.projects}
        keyOf={({ platform }) => platform}
        empty={
          <Empty icon="apps" title="No billing project">
            <p>Platforms that bill by project require one before the first call.</p>
          </Empty>
        }
      />
    </Card>
  );
}
