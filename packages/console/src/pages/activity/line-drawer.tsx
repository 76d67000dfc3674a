import type { LineDocument } from '@model-gateway/server/operations/documents';
import { Changed } from '../../parts/changed.tsx';
import { Drawer } from '../../parts/drawer.tsx';
import { Id, When } from '../../parts/values.tsx';
import { changesOf, deedOf, pageOf } from '../../text/audit-words.ts';

interface DrawerProps {
  readonly line: LineDocument;
  readonly onClose: () => void;
}

/** The whole line, without truncation. */
export function LineDrawer({ line, onClose }: DrawerProps) {
  const { id, at, actor, action, subject, reason, reference, callId } = line;
  const page = pageOf(action, subject);
  const changes = changesOf(line);
  return (
    <Drawer title={deedOf(action).replace(/:$/, '')} note={<When at={at} />} onClose={onClose}>
      <section>
        <dl class="facts">
          <dt>Subject</dt>
          <dd>{page === undefined ? subject : <a href={page}>{subject}</a>}</dd>
          <dt>Actor</dt>
          <dd>{actor}</dd>
          <dt>Reason</dt>
          <dd>{reason ?? '–'}</dd>
          <dt>Reference</dt>
          <dd>{reference ?? '–'}</dd>
          {callId !== null && (
            <>
              <dt>Call</dt>
              <dd>
                <a href={`/console/calls/${encodeURIComponent(callId)}`}>{callId}</a>
              </dd>
            </>
          )}
          <dt>Action</dt>
          <dd>
            <code>{action}</code>
          </dd>
          <dt>Id</dt>
          <dd>
            <Id of={id} />
          </dd>
        </dl>
      </section>
      {changes.length > 0 && (
        <section>
          <h3>Before → after</h3>
          <Changed of={changes} />
        </section>
      )}
    </Drawer>
  );
}
