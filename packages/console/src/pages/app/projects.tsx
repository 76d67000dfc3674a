import type { AppPage, ProjectBound } from '@model-gateway/server/operations/documents';
import { useMay } from '../../data/who.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { DataTable, type Head } from '../../parts/data-table.tsx';

type Binding = AppPage['projects'][number];

const columns: readonly Head<Binding>[] = [
  { head: 'Platform', cell: ({ platform }) => platform },
  { head: 'Project', cell: ({ projectId }) => projectId },
];

export function AppProjects({
  page,
  again,
}: {
  readonly page: AppPage;
  readonly again: () => void;
}) {
  const mayOperate = useMay('operate');
  const { name } = page.settings;
  return (
    <section>
      <h2>Projects of platforms</h2>
      <DataTable
        caption="Projects"
        heads={columns}
        rows={page.projects}
        keyOf={({ platform }) => platform}
        empty="Bound to no project. A platform that bills by project needs one before it is called."
      />
      {mayOperate && (
        <ChangeDialog<ProjectBound>
          label="Bind project"
          title={`Bind ${name} to a project`}
          operation="projects bind"
          given={{ app: name }}
          asks={{ platform: 'Platform', projectId: 'Project' }}
          verb="Bind"
          onChanged={again}
        />
      )}
    </section>
  );
}
